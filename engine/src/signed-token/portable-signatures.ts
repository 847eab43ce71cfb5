/**
 * Signature checks where there is no Node: WebCrypto through jose. Slower than the port for Node and
 * always by promise; the same answers.
 */
import { type CryptoKey, compactVerify, importJWK } from 'jose';
import { encodeBase64Url } from '../formats/base64.ts';
import type { PreparedKey, PublicJwk, Signatures } from '../ports/signatures.ts';

/** Checks for browsers, edges and tests. */
export const portableSignatures = (): Signatures => ({
  prepare(jwk) {
    const type = jwk.kty;
    if (type !== 'RSA' && type !== 'EC') throw new Error('key type cannot check signatures');
    const curve = typeof jwk.crv === 'string' ? jwk.crv : undefined;
    return curve === undefined
      ? { keyType: type, verify: verifier(jwk) }
      : { keyType: type, curve, verify: verifier(jwk) };
  },
});

/** WebCrypto binds a key to one algorithm, so one key is imported for each that is asked for. */
const verifier = (jwk: PublicJwk): PreparedKey['verify'] => {
  const imported = new Map<string, Promise<CryptoKey | Uint8Array>>();
  const keyFor = (algorithm: string): Promise<CryptoKey | Uint8Array> => {
    const known = imported.get(algorithm);
    if (known !== undefined) return known;
    const key = importJWK({ ...textMembers(jwk), alg: algorithm });
    imported.set(algorithm, key);
    return key;
  };
  return async (algorithm, signingInput, signature) => {
    try {
      const token = `${signingInput}.${encodeBase64Url(signature)}`;
      const { protectedHeader } = await compactVerify(token, await keyFor(algorithm));
      return protectedHeader.alg === algorithm;
    } catch {
      return false; // jose says by an error that a signature does not fit.
    }
  };
};

const textMembers = (jwk: PublicJwk): Record<string, string> => {
  const members: [string, string][] = [];
  for (const [name, value] of Object.entries(jwk)) {
    if (typeof value === 'string') members.push([name, value]);
  }
  return Object.fromEntries(members);
};
