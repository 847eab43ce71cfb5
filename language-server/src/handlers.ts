/** Handlers that find the configuration, survive faults and say so. */
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import type { Answering } from './features/feature.ts';
import type { Workspace } from './workspace.ts';

export const createAnswering = (
  connection: Pick<Connection, 'console'>,
  workspace: Workspace,
  /** Whether the client asked the server to end. */
  isOver: () => boolean,
): Answering => {
  const told = (cause: unknown): void => {
    // Said on purpose, to the person who asked.
    if (cause instanceof ResponseError) throw cause;
    connection.console.error(faultText(cause));
  };
  const admit = (token: CancellationToken): void => {
    // The protocol wants it so: only the notification to exit comes behind it.
    if (isOver()) throw new ResponseError(ErrorCodes.InvalidRequest, 'the server was shut down');
    if (token.isCancellationRequested) {
      throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    }
  };
  const guarded: Answering['guarded'] = (answer, otherwise) => (params, token) => {
    admit(token);
    try {
      return answer(params, token);
    } catch (cause) {
      told(cause);
      return otherwise;
    }
  };
  return {
    workspace,
    admit,
    async pause(token) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      admit(token);
    },
    guarded,
    awaited: (answer, otherwise) => async (params, token) => {
      admit(token);
      try {
        return await answer(params, token);
      } catch (cause) {
        told(cause);
        return otherwise;
      }
    },
    at: (answer) =>
      guarded((params, token) => {
        for (const part of workspace.parts(params.textDocument.uri)) {
          const offset = part.places.offsetAt(params.position);
          if (offset === undefined) continue;
          return answer({ workspace, part, offset }, params, token) ?? null;
        }
        return null;
      }, null),
    throughout: (answer) =>
      guarded(
        (params, token) =>
          workspace
            .parts(params.textDocument.uri)
            .flatMap((part) => answer({ workspace, part }, params, token)),
        [],
      ),
  };
};

/** The message may quote the document, so only the kind of the fault and where it was are told. */
const faultText = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'a request failed';
  const [, ...frames] = (cause.stack ?? '').split('\n    at ');
  return `a request failed: ${cause.name} at ${frames.slice(0, 8).join(' < ')}`;
};
