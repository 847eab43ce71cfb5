/** SHA-256 digests, plain and keyed with a secret that lives as long as the process. */
import { hash, randomBytes } from 'node:crypto';
import type { Digest } from '../ports/digest.ts';

/** Bytes of the key: half a block of SHA-256, and one block when it is written in hexadecimal. */
const keyBytes = 32;

/**
 * Size of the buffer that holds the key, the head and the tail; longer input is concatenated as a
 * string.
 */
const scratchBytes = 64 * 1024;

/**
 * Returns the digest port. The key precedes the text. That would allow a length extension by anyone
 * who knows a whole fingerprint, which gains nothing: a fingerprint identifies values in memory and
 * never proves anything.
 */
export const nodeDigest = (): Digest => {
  const key = randomBytes(keyBytes).toString('hex');
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** The head whose bytes follow the key in the buffer, and where they end. */
  let writtenHead: string | undefined;
  let headEnd = 0;

  const writeHead = (head: string): void => {
    const keyEnd = scratch.write(key, 'latin1');
    headEnd = keyEnd + scratch.write(head, keyEnd, 'utf8');
    writtenHead = head;
  };

  return {
    sha256Hex: (text) => hash('sha256', text, 'hex'),
    sha256: (bytes) => hash('sha256', bytes, 'buffer'),
    fingerprint(head, tail = '') {
      // A UTF-16 code unit has at most three bytes in UTF-8.
      if ((head.length + tail.length) * 3 + key.length > scratchBytes) {
        return hash('sha256', key + head + tail, 'latin1');
      }
      if (head !== writtenHead) writeHead(head);
      const end = headEnd + scratch.write(tail, headEnd, 'utf8');
      return hash('sha256', scratch.subarray(0, end), 'latin1');
    },
  };
};
