/** SHA-256 in one call, with and without a key that lives as long as the process. */
import { hash, randomBytes } from 'node:crypto';
import type { Digest } from '../ports/digest.ts';

/** Bytes of the key: half a block of SHA-256, and one block as the hexadecimal text in front. */
const keyBytes = 32;

/** Holds key, head and tail until the next call; what is longer is joined as text. */
const scratchBytes = 64 * 1024;

/**
 * The key stands in front of the text. Whoever sees a whole fingerprint could lengthen the text but
 * gains nothing by it: a fingerprint is a name in memory, never a proof.
 */
export const nodeDigest = (): Digest => {
  const key = randomBytes(keyBytes).toString('hex');
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** Of which the bytes stand behind the key, and where they end. */
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
      // A character has up to three bytes.
      if ((head.length + tail.length) * 3 + key.length > scratchBytes) {
        return hash('sha256', key + head + tail, 'latin1');
      }
      if (head !== writtenHead) writeHead(head);
      const end = headEnd + scratch.write(tail, headEnd, 'utf8');
      return hash('sha256', scratch.subarray(0, end), 'latin1');
    },
  };
};
