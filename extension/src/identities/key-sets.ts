/**
 * Verifies a token's signature with key sets in the extension itself, so that no request carries a
 * token. Loaded on demand.
 */
import { checkSignature, type SignatureCheck } from '@authgraph/engine/signature';
import { signatureMismatch } from '@authgraph/language-server/protocol';

export interface KeySet {
  /** Shown to the user: a path, or whose keys they are. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the result in words and stops at the first matching set. Nothing of the token but its
 * algorithm is quoted.
 */
export const describeSignature = async (
  token: string,
  sets: readonly KeySet[],
): Promise<string> => {
  // Browsers provide it to pages loaded over HTTPS only.
  if (globalThis.crypto?.subtle === undefined)
    return 'signature not checked: WebCrypto is not available';
  const mismatched: string[] = [];
  const unusable: string[] = [];
  for (const { name, text } of sets) {
    const check: SignatureCheck = await checkSignature(token, text);
    if (check.kind === 'verified') return `signature checked with ${name}`;
    if (check.kind === 'token-rejected') return `signature not checked: ${check.reason}`;
    if (check.kind === 'no-matching-key') mismatched.push(name);
    else unusable.push(`${name} is not a usable key set`);
  }
  if (mismatched.length > 0) return `${signatureMismatch} ${mismatched.join(', ')}`;
  return ['signature not checked', ...unusable].join(': ');
};
