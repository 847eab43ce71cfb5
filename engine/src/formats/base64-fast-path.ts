/** Decodes base64url with the decoder of the host, for the parts of tokens. */
import { decodeBase64Url, isCanonical } from './base64.ts';
import { allocateHostBuffer, utf8Length } from './host-buffer.ts';

/**
 * Decodes the canonical unpadded base64url encoding; returns `undefined` for any other string.
 * `isUrlSafe` is the result of `isUrlSafeAscii`; if it is false, the slower decoder is used.
 */
export const decodeBase64UrlFastPath = (
  text: string,
  isUrlSafe: boolean,
): Uint8Array | undefined => {
  const memory = isUrlSafe ? allocateHostBuffer((text.length * 3) >> 2) : undefined;
  if (memory === undefined) return decodeBase64Url(text);
  // The decoder skips characters of neither alphabet; then fewer bytes are written than the length
  // implies.
  return isCanonical(text, memory.base64urlWrite(text)) ? memory : undefined;
};

/**
 * Checks for ASCII without the characters that only the standard alphabet has, because the decoder
 * of the host accepts both alphabets.
 */
export const isUrlSafeAscii = (text: string): boolean =>
  !text.includes('+') && !text.includes('/') && utf8Length(text) === text.length;
