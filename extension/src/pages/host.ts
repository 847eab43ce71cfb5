/** The extension as a page sees it: messages both ways, and where the page may remember its layout. */

interface HostApi {
  postMessage(message: unknown): void;
}

declare const acquireVsCodeApi: () => HostApi;

/** Sends; `receive` gets what the extension says, in order. */
export const connect = (receive: (message: unknown) => void): ((message: object) => void) => {
  const host = acquireVsCodeApi();
  window.addEventListener('message', ({ data }) => receive(data));
  return (message) => host.postMessage(message);
};
