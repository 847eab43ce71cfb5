/**
 * The keyed digest under which a static token is looked up, so that tokens are not stored in memory.
 */
import type { Digest } from '../../ports/digest.ts';

/**
 * Returns the digest. Bytes that are not UTF-8 are lone surrogates in the string; they are escaped
 * first, because all of them would have the same digest.
 */
export const staticTokenDigest = (token: string, digest: Digest): string =>
  token.isWellFormed()
    ? digest.fingerprint('static-token:', token)
    : digest.fingerprint('static-token-bytes:', JSON.stringify(token));
