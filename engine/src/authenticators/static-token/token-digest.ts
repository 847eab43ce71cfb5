/** A token as the key under which it is looked up: keyed, so that no token stays in memory. */
import type { Digest } from '../../ports/digest.ts';

/** Bytes that are no UTF-8 stand in a text as lone surrogates, which a digest could not tell apart. */
export const staticTokenDigest = (token: string, digest: Digest): string =>
  token.isWellFormed()
    ? digest.fingerprint('static-token:', token)
    : digest.fingerprint('static-token-bytes:', JSON.stringify(token));
