/** Waiting for work that is shared: who leaves does not stop it. */
import type { Decision } from '../model/decision.ts';
import type { KeptDecision } from './token-cache.ts';

const canceled: Decision = {
  kind: 'rejected',
  by: 'jwt',
  reason: { code: 'AG5023', message: 'context canceled' },
};

/** What was decided, or that nobody waits for it any more. */
export const untilAborted = async (
  shared: Promise<KeptDecision>,
  signal: AbortSignal,
): Promise<Decision> => {
  let decision: Decision = canceled;
  const settled = shared.then((kept) => {
    decision = kept.decision;
  });
  await orAborted(settled, signal);
  return decision;
};

/** Settles with the promise, or earlier when the signal is aborted. */
export const orAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const leave = () => resolve();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
};
