/**
 * Verifies signatures with WebCrypto, for environments without Node. Slower than the port for Node
 * and always asynchronous, with the same results.
 */
import { publicMembers } from '../formats/public-jwk.ts';
import { encodeUtf8 } from '../formats/utf8.ts';
import type { PreparedKey, PublicJwk, Signatures } from '../ports/signatures.ts';

/** Creates the port for browsers, edge runtimes and tests. */
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

interface Scheme {
  readonly name: 'RSASSA-PKCS1-v1_5' | 'RSA-PSS' | 'ECDSA';
  readonly hash: string;
  /** The length of the digest, as in RFC 7518 3.5. */
  readonly saltLength?: number;
  readonly namedCurve?: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['RS256', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }],
  ['RS384', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' }],
  ['RS512', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }],
  ['PS256', { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 }],
  ['PS384', { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 }],
  ['PS512', { name: 'RSA-PSS', hash: 'SHA-512', saltLength: 64 }],
  ['ES256', { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' }],
  ['ES384', { name: 'ECDSA', hash: 'SHA-384', namedCurve: 'P-384' }],
  ['ES512', { name: 'ECDSA', hash: 'SHA-512', namedCurve: 'P-521' }],
]);

/**
 * Creates the verification of a key. WebCrypto binds a key to one algorithm, so it is imported once
 * for each.
 */
const verifier = (jwk: PublicJwk): PreparedKey['verify'] => {
  const imported = new Map<string, ReturnType<typeof importKey>>();
  const keyFor = (algorithm: string, scheme: Scheme): ReturnType<typeof importKey> => {
    const known = imported.get(algorithm);
    if (known !== undefined) return known;
    const key = importKey(jwk, scheme);
    imported.set(algorithm, key);
    return key;
  };
  return async (algorithm, signingInput, signature) => {
    const scheme = schemes.get(algorithm);
    if (scheme === undefined) return false;
    // Copied, because the caller may overwrite the bytes while the key is imported.
    const signed = Uint8Array.from(signature);
    try {
      const key = await keyFor(algorithm, scheme);
      // The length includes leading zeros, as in the port for Node.
      const bits = modulusBits(key);
      if (bits !== undefined && signed.length !== Math.ceil(bits / 8)) return false;
      return await crypto.subtle.verify({ ...scheme }, key, signed, bytesOf(signingInput));
    } catch {
      return false; // The key is not for this algorithm, or WebCrypto does not support it.
    }
  };
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(encodeUtf8(text));

const minRsaBits = 2048;
const maxRsaBits = 8192;

const importKey = async (jwk: PublicJwk, scheme: Scheme) => {
  const key = await crypto.subtle.importKey('jwk', publicMembers(jwk), { ...scheme }, false, [
    'verify',
  ]);
  const bits = modulusBits(key);
  if (bits !== undefined && (bits < minRsaBits || bits > maxRsaBits)) {
    throw new Error('RSA key that is too short or too long');
  }
  return key;
};

/** Returns the bits of an RSA modulus; `undefined` for other keys. */
const modulusBits = ({ algorithm }: { readonly algorithm: object }): number | undefined =>
  'modulusLength' in algorithm ? Number(algorithm.modulusLength) : undefined;
