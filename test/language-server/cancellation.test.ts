/** A canceled request aborts its work. */
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { withAbortSignal } from '../../language-server/src/cancellation.ts';

test('aborts the work when the request is canceled', async () => {
  const source = new CancellationTokenSource();
  const answer = withAbortSignal(
    source.token,
    (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
  );
  source.cancel();
  expect(await answer).toBe('aborted');
});

test.each([
  ['is done', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('no'))],
])('removes its listener once the work %s', async (_, work) => {
  let listeners = 0;
  const token = {
    isCancellationRequested: false,
    onCancellationRequested() {
      listeners += 1;
      return {
        dispose() {
          listeners -= 1;
        },
      };
    },
  };
  const done = withAbortSignal(token, work).catch(() => undefined);
  expect(listeners).toBe(1);
  await done;
  expect(listeners).toBe(0);
});
