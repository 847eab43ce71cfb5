/** By what name the servers of one cluster are told apart in metrics: made from the host's name. */
import { hash } from 'node:crypto';
import { hostname } from 'node:os';

/** `apiserver-` and 26 letters: the real server's own rule, so that one host has one name. */
export const serverIdentity = (host: string = hostname()): string => {
  const parts = [host, 'kube-apiserver'].flatMap((part) => {
    const bytes = Buffer.from(part);
    return [Buffer.of(bytes.length >> 8, bytes.length & 255), bytes];
  });
  const digest = Buffer.from(hash('sha256', Buffer.concat(parts), 'hex'), 'hex');
  return `apiserver-${base32(digest.subarray(0, identityBytes))}`;
};

/** The identity as a label: `sha256:<hex>`. */
export const serverIdentityHash = (host?: string): string =>
  `sha256:${hash('sha256', serverIdentity(host), 'hex')}`;

const identityBytes = 16;

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 without padding, in lower case. */
const base32 = (bytes: Uint8Array): string => {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += letters[(held >> bits) & 31] ?? '';
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + (letters[(held << (5 - bits)) & 31] ?? '');
};
