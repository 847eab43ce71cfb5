/** A question that its client takes back ends the work for it. */
import type { CancellationToken } from 'vscode-languageserver';

/** Works with a signal that is aborted with the token; afterwards nothing listens to the token. */
export const untilTakenBack = async <Answer>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const leaving = new AbortController();
  const listening = token.onCancellationRequested(() => leaving.abort());
  try {
    return await work(leaving.signal);
  } finally {
    listening.dispose();
  }
};
