/** Derives the name that identifies a server of a cluster in metrics from the host name. */
import { hash } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Returns `apiserver-` and 26 letters, derived by kube-apiserver's rule, so that a host has the
 * same name in both.
 */
export const serverIdentity = (host: string = hostname()): string => {
  const parts = [host, 'kube-apiserver'].flatMap((part) => {
    const bytes = Buffer.from(part);
    return [Buffer.of(bytes.length >> 8, bytes.length & 255), bytes];
  });
  const digest = Buffer.from(hash('sha256', Buffer.concat(parts), 'hex'), 'hex');
  return `apiserver-${base32(digest.subarray(0, identityBytes))}`;
};

/** Returns the identity as a label value: `sha256:<hex>`. */
export const serverIdentityHash = (host?: string): string =>
  `sha256:${hash('sha256', serverIdentity(host), 'hex')}`;

const identityBytes = 16;

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes base32 (RFC 4648) without padding, in lower case. */
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
