/** The page's connection to the extension. */

interface HostApi {
  postMessage(message: unknown): void;
}

declare const acquireVsCodeApi: () => HostApi;

/** Returns a function that sends messages; `receive` gets the extension's messages in order. */
export const connect = (receive: (message: unknown) => void): ((message: object) => void) => {
  const host = acquireVsCodeApi();
  window.addEventListener('message', ({ data }) => receive(data));
  return (message) => host.postMessage(message);
};
