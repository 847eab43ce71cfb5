/**
 * Verifies a token against the keys of a set. Nothing else of the token is checked, and no network
 * is used.
 */
import { signingAlgorithms } from '../../compile/settings.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import { maxIssuerBodyBytes, maxKeysInSet, maxTokenLength } from '../../model/limits.ts';
import { memoizedHeaderReader } from '../../signed-token/header.ts';
import { readKeySet } from '../../signed-token/key-set.ts';
import { parseToken, peekToken } from '../../signed-token/parse.ts';
import { portableSignatures } from '../../signed-token/portable-signatures.ts';
import { isSignedByAnyKey } from '../../signed-token/verify.ts';

/**
 * The result of verifying a token with the given keys.
 *
 * @example
 * ```ts
 * const isValid = ({ kind }: SignatureCheck) => kind === 'verified';
 * ```
 */
export type SignatureCheck =
  | { readonly kind: 'verified' | 'no-matching-key' }
  /** The token is rejected before any key is tried. The reason quotes only its `alg`. */
  | { readonly kind: 'token-rejected'; readonly reason: string }
  /** One malformed key makes the whole set unusable, as in the server. */
  | { readonly kind: 'keys-unusable'; readonly reason: string };

/**
 * Verifies the signature. `algorithms` are those that the configuration allows; a token cannot
 * choose another one.
 *
 * @example
 * ```ts
 * const check = await checkSignature(token, readFileSync('jwks.json', 'utf8'));
 * console.log(check.kind);
 * ```
 */
export const checkSignature = async (
  token: string,
  keySetText: string,
  algorithms: readonly string[] = signingAlgorithms,
): Promise<SignatureCheck> => {
  const peeked = token.length > maxTokenLength ? undefined : peekToken(token);
  if (peeked === undefined) return refused('not a signed JWT');
  const opened = parseToken(peeked, memoizedHeaderReader());
  if (opened.kind === 'error') return refused('its header or signature cannot be read');
  const { algorithm } = opened.header;
  if (!algorithms.includes(algorithm)) {
    return refused(`the algorithm ${goQuote(algorithm.slice(0, shownLetters))} is not allowed`);
  }
  const body = encodeUtf8(keySetText);
  if (body.length > maxIssuerBodyBytes) return unusable('the key set is too long');
  const reading = await readKeySet(body, {
    signatures: portableSignatures(),
    rejectEncryptionKeys: true,
    maxKeys: maxKeysInSet,
  });
  if (reading.kind === 'error') return unusable(reading.error);
  return { kind: (await isSignedByAnyKey(reading.keys, opened)) ? 'verified' : 'no-matching-key' };
};

const shownLetters = 20;

const refused = (reason: string): SignatureCheck => ({ kind: 'token-rejected', reason });
const unusable = (reason: string): SignatureCheck => ({ kind: 'keys-unusable', reason });
