/** Pseudonyms of strings: keyed digests, which are equal exactly for equal strings. */
import { createHmac, randomBytes } from 'node:crypto';

/** Bytes of a new key, and the characters of a pseudonym: 96 bits in hexadecimal. */
const keyBytes = 32;
const pseudonymLength = 24;

/** Returns a function that gives each string its pseudonym; without a key, it creates one. */
export const pseudonymizer = (
  key: string | Uint8Array = randomBytes(keyBytes),
): ((text: string) => string) => {
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, pseudonymLength);
};
