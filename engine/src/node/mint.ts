/**
 * Claims -> signed token, for what the product signs itself: tokens of the demo's issuer and those that
 * `authgraph migrate` compares decisions with; tests use it too. Keys are made and held by WebCrypto.
 */
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose';

/** What everybody may know of a key. */
export interface PublishedKey {
  /** The public half as a JWK, with `kid`, `alg` and `use`. */
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export interface SigningKey extends PublishedKey {
  readonly keyId: string;
  /** `RS256` */
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
}

/** A new key for one of the nine algorithms. */
export const createSigningKey = async (algorithm: string, keyId: string): Promise<SigningKey> => {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const jwk = await exportJWK(publicKey);
  return {
    keyId,
    algorithm,
    publicJwk: { ...jwk, kid: keyId, alg: algorithm, use: 'sig' },
    privateKey,
  };
};

export interface MintOptions {
  /** Members of the header beside `alg` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A compact JWS over the claims as JSON. */
export const mintToken = (
  claims: Readonly<Record<string, unknown>>,
  key: SigningKey,
  options: MintOptions = {},
): Promise<string> => {
  const payload = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactSign(payload)
    .setProtectedHeader({ ...options.header, alg: key.algorithm, kid: key.keyId })
    .sign(key.privateKey);
};

/** A key set of the public halves. */
export const keySetOf = (keys: readonly PublishedKey[]): { readonly keys: readonly unknown[] } => ({
  keys: keys.map(({ publicJwk }) => publicJwk),
});
