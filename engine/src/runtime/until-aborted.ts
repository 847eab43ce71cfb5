/** Settles with the promise, or earlier when the signal is aborted. */
export const orAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const leave = () => resolve();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
};
