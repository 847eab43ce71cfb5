/** The features that are requests of AuthGraph itself, which are not part of the protocol. */
import type { CancellationToken } from 'vscode-languageserver';
import type { Feature, HandlerFactory } from './feature.ts';

/** Creates the feature of a request; `otherwise` is the answer if the handler fails. */
export const requestFeature = <Params, Answer>(
  method: string,
  otherwise: Answer,
  answer: (
    params: Params,
    handlers: HandlerFactory,
    token: CancellationToken,
  ) => Answer | Promise<Answer>,
): Feature => ({
  capabilities: {},
  register(connection, handlers) {
    connection.onRequest<unknown, void>(
      method,
      handlers.guardedAsync(
        async (params: Params, token) => answer(params, handlers, token),
        otherwise,
      ),
    );
  },
});
