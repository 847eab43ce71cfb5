/**
 * Base64url into memory that the next call overwrites, for bytes that are read at once: an array of
 * their own costs several times as much as the decoding.
 */
import { decodeBase64Url, isCanonical } from './base64.ts';
import { allocateHostBuffer, utf8Length } from './host-buffer.ts';

/**
 * `undefined` unless the text is the one canonical unpadded spelling of its bytes. `plain` promises
 * what `isPlain` finds; without it the slower decoder of the web judges.
 */
export type ScratchDecoder = (text: string, isUrlSafe: boolean) => Uint8Array | undefined;

/** A decoder with memory of that many bytes; longer ones get an array of their own. */
export const createScratchDecoder = (size: number): ScratchDecoder => {
  const memory = allocateHostBuffer(size);
  return (text, isUrlSafe) => {
    if (memory === undefined || !isUrlSafe || (text.length * 3) >> 2 > size) {
      return decodeBase64Url(text);
    }
    // What is in no alphabet is skipped: then there are fewer bytes than the characters promise.
    const written = memory.base64urlWrite(text);
    return isCanonical(text, written) ? memory.subarray(0, written) : undefined;
  };
};

/** Only ASCII, and nothing of the other alphabet: the host's decoder would take both for its own. */
export const isUrlSafeAscii = (text: string): boolean =>
  !text.includes('+') && !text.includes('/') && utf8Length(text) === text.length;
