/** Wraps a request so that a new call cancels the previous one. */
import { type CancellationToken, CancellationTokenSource } from 'vscode';

export const latestOnly = <Params, Answer>(
  send: (params: Params, token: CancellationToken) => Promise<Answer>,
): ((params: Params) => Promise<Answer>) => {
  let source: CancellationTokenSource | undefined;
  return (params) => {
    source?.cancel();
    source = new CancellationTokenSource();
    return send(params, source.token);
  };
};
