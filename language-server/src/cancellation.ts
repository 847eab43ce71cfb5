/** Aborts the work for a request once the client cancels it. */
import type { CancellationToken } from 'vscode-languageserver';

/**
 * Calls `work` with a signal that is aborted when the token is canceled. The listener on the token
 * is removed when the work ends.
 */
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
