/** What the server says unasked, to a client that may be gone already or may not care. */

export interface Telling {
  /** Neither a closed connection nor a client's refusal is a fault of the server. */
  tell(send: () => Promise<unknown>): void;
  /** The client asked the server to end: it reads no more. */
  stop(): void;
  readonly isOver: boolean;
}

export const createTelling = (): Telling => {
  let isOver = false;
  return {
    tell(send) {
      if (isOver) return;
      // An async function, since a closed connection throws at once.
      (async () => {
        await send();
      })().catch(() => undefined);
    },
    stop() {
      isOver = true;
    },
    get isOver() {
      return isOver;
    },
  };
};
