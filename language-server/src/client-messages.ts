/** What the server says unasked, to a client that may be gone already or may not care. */

export interface ClientMessages {
  /** Neither a closed connection nor a client's refusal is a fault of the server. */
  send(send: () => Promise<unknown>): void;
  /** The client asked the server to end: it reads no more. */
  stop(): void;
  readonly isStopped: boolean;
}

export const createClientMessages = (): ClientMessages => {
  let isStopped = false;
  return {
    send(send) {
      if (isStopped) return;
      // An async function, since a closed connection throws at once.
      (async () => {
        await send();
      })().catch(() => undefined);
    },
    stop() {
      isStopped = true;
    },
    get isStopped() {
      return isStopped;
    },
  };
};
