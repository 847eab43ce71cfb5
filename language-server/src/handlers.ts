/** Wraps feature functions in request handlers that find the configuration and log failures. */
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import type { EditorState } from './editor-state.ts';
import type { HandlerFactory } from './features/feature.ts';
import { pauseForRequests, runTurn } from './run-turn.ts';
import type { Workspace } from './workspace.ts';

export const createHandlerFactory = (
  connection: Pick<Connection, 'console'>,
  workspace: Workspace,
  /** Whether the client requested a shutdown. */
  state: Pick<EditorState, 'isShutDown'>,
): HandlerFactory => {
  const rethrowOrLog = (cause: unknown): void => {
    // An error with a message for the user.
    if (cause instanceof ResponseError) throw cause;
    connection.console.error(describeFailure(cause));
  };
  const ensureActive = (token: CancellationToken): void => {
    // After `shutdown` the protocol allows only `exit`.
    if (state.isShutDown)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'the server was shut down');
    if (token.isCancellationRequested) {
      throw new ResponseError(LSPErrorCodes.RequestCancelled, 'canceled');
    }
  };
  const guarded: HandlerFactory['guarded'] = (answer, otherwise) => (params, token) => {
    ensureActive(token);
    try {
      return answer(params, token);
    } catch (cause) {
      rethrowOrLog(cause);
      return otherwise;
    }
  };
  const pause: HandlerFactory['pause'] = async (token) => {
    await pauseForRequests();
    ensureActive(token);
  };
  return {
    workspace,
    ensureActive,
    pause,
    async inTurns(work, token) {
      for (;;) {
        const done = runTurn(work);
        if (done !== undefined) return done.result;
        await pause(token);
      }
    },
    guarded,
    guardedAsync: (answer, otherwise) => async (params, token) => {
      ensureActive(token);
      try {
        return await answer(params, token);
      } catch (cause) {
        rethrowOrLog(cause);
        return otherwise;
      }
    },
    atPosition: (answer) =>
      guarded((params, token) => {
        for (const part of workspace.parts(params.textDocument.uri)) {
          const offset = part.places.offsetAt(params.position);
          if (offset === undefined) continue;
          return answer({ workspace, part, offset }, params, token) ?? null;
        }
        return null;
      }, null),
    forEachConfiguration: (answer) =>
      guarded(
        (params, token) =>
          workspace
            .parts(params.textDocument.uri)
            .flatMap((part) => answer({ workspace, part }, params, token)),
        [],
      ),
  };
};

/** Returns only the error's name and location, because its message may quote the document. */
const describeFailure = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'a request failed';
  const [, ...frames] = (cause.stack ?? '').split('\n    at ');
  return `a request failed: ${cause.name} at ${frames.slice(0, 8).join(' < ')}`;
};
