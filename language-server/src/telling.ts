/** What the server says of itself, to a client that may be gone already or may not care. */

/** Neither a closed connection nor a client's refusal is a fault of the server. */
export const tellQuietly = (send: () => Promise<unknown>): void => {
  // An async function, since a closed connection throws at once.
  (async () => {
    await send();
  })().catch(() => undefined);
};
