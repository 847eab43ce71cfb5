/**
 * Signs tokens for the demo's issuer, the comparison in `authgraph migrate` and `authgraph test`;
 * tests use it too. Keys are created and held by WebCrypto.
 */
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose';

/** The public part of a key. */
export interface PublishedKey {
  /** The public key as a JWK, with `kid`, `alg` and `use`. */
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export interface SigningKey extends PublishedKey {
  readonly keyId: string;
  /** `RS256` */
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
}

/** Creates a key for one of the nine algorithms. */
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
  /** Header parameters in addition to `alg` and `kid`. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs the claims as JSON; returns a compact JWS. */
export const mintToken = (
  claims: Readonly<Record<string, unknown>>,
  key: SigningKey,
  options: MintOptions = {},
): Promise<string> => signPayload(JSON.stringify(claims), key, options);

/** Signs a payload as it is; returns a compact JWS. */
export const signPayload = (
  payload: string,
  key: SigningKey,
  options: MintOptions = {},
): Promise<string> =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ ...options.header, alg: key.algorithm, kid: key.keyId })
    .sign(key.privateKey);

/** Returns a JWK set of the public keys. */
export const keySetOf = (keys: readonly PublishedKey[]): { readonly keys: readonly unknown[] } => ({
  keys: keys.map(({ publicJwk }) => publicJwk),
});
