/**
 * Messages that the server sends on its own initiative. The client may have disconnected or may
 * ignore them.
 */

export interface ClientMessages {
  /** Sends a message; a closed connection or an error response from the client is ignored. */
  send(send: () => Promise<unknown>): void;
  /** Stops sending: the client requested a shutdown and reads nothing more. */
  stop(): void;
  readonly isStopped: boolean;
}

export const createClientMessages = (): ClientMessages => {
  let isStopped = false;
  return {
    send(send) {
      if (isStopped) return;
      // An async function, because a closed connection throws synchronously.
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
