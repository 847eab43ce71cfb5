/**
 * A token held against key sets, in the extension itself: no request carries one. Loaded when there is
 * something to hold.
 */
import { checkSignature, type SignatureCheck } from '@authgraph/engine/signature';
import { signatureMismatch } from '@authgraph/language-server/protocol';

export interface KeySet {
  /** For people: a path, or whose keys they are. */
  readonly name: string;
  readonly text: string;
}

/** In words; nothing of the token is quoted but its algorithm. The first set that fits is enough. */
export const describeSignature = async (
  token: string,
  sets: readonly KeySet[],
): Promise<string> => {
  // A browser has it for pages that came over https alone.
  if (globalThis.crypto?.subtle === undefined) return 'signature not checked: no WebCrypto here';
  const mismatched: string[] = [];
  const unusable: string[] = [];
  for (const { name, text } of sets) {
    const check: SignatureCheck = await checkSignature(token, text);
    if (check.kind === 'fits') return `signature checked with ${name}`;
    if (check.kind === 'refused token') return `signature not checked: ${check.reason}`;
    if (check.kind === 'no key fits') mismatched.push(name);
    else unusable.push(`${name} is no usable key set`);
  }
  if (mismatched.length > 0) return `${signatureMismatch} ${mismatched.join(', ')}`;
  return ['signature not checked', ...unusable].join(': ');
};
