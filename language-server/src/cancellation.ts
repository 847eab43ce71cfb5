/** A question that its client takes back ends the work for it. */
import type { CancellationToken } from 'vscode-languageserver';

/** Works with a signal that is aborted with the token; afterwards nothing listens to the token. */
export const withAbortSignal = async <Answer>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    subscription.dispose();
  }
};
