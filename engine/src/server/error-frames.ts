/**
 * `node:http2` makes an error for nearly every stream that ends well, one that nobody hears of, and
 * walking the stack for it takes a tenth of a request. Nothing of ours writes a stack: logs tell
 * messages. What ends the process by a fault still tells where it began.
 */
const keptFrames = 2;

/** For a process that is a server and nothing else. */
export const keepFewFrames = (): void => {
  Error.stackTraceLimit = Math.min(Error.stackTraceLimit, keptFrames);
};
