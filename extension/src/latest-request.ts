/** Of several questions under way only the last one matters: the ones before it are called off. */
import { type CancellationToken, CancellationTokenSource } from 'vscode';

export const latestOnly = <Params, Answer>(
  ask: (params: Params, token: CancellationToken) => Promise<Answer>,
): ((params: Params) => Promise<Answer>) => {
  let source: CancellationTokenSource | undefined;
  return (params) => {
    source?.cancel();
    source = new CancellationTokenSource();
    return ask(params, source.token);
  };
};
