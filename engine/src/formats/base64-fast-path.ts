/**
 * Decodes base64url into a buffer that the next call overwrites, for bytes that are read
 * immediately. Allocating an array costs several times as much as decoding.
 */
import { decodeBase64Url, isCanonical } from './base64.ts';
import { allocateHostBuffer, utf8Length } from './host-buffer.ts';

/**
 * Decodes the canonical unpadded base64url encoding; returns `undefined` for any other string.
 * `isUrlSafe` is the result of `isUrlSafeAscii`; if it is false, the slower decoder is used.
 */
export type ScratchDecoder = (text: string, isUrlSafe: boolean) => Uint8Array | undefined;

/** Creates a decoder with a buffer of that many bytes. Longer results get an array of their own. */
export const createScratchDecoder = (size: number): ScratchDecoder => {
  const memory = allocateHostBuffer(size);
  return (text, isUrlSafe) => {
    if (memory === undefined || !isUrlSafe || (text.length * 3) >> 2 > size) {
      return decodeBase64Url(text);
    }
    // The decoder skips characters of neither alphabet; then fewer bytes are written than the
    // length implies.
    const written = memory.base64urlWrite(text);
    return isCanonical(text, written) ? memory.subarray(0, written) : undefined;
  };
};

/**
 * Checks for ASCII without the characters that only the standard alphabet has, because the decoder
 * of the host accepts both alphabets.
 */
export const isUrlSafeAscii = (text: string): boolean =>
  !text.includes('+') && !text.includes('/') && utf8Length(text) === text.length;
