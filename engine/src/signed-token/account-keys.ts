/** The keys that verify service account tokens, read from key files and indexed by ID. */
import { encodeBase64Url } from '../formats/base64.ts';
import type { Digest } from '../ports/digest.ts';
import type { PrivateKeys } from '../ports/private-keys.ts';
import type { Signatures } from '../ports/signatures.ts';
import type { VerificationKey } from './key-set.ts';
import { type EllipticJwk, type RsaJwk, readPemKeys } from './pem-keys.ts';

export interface AccountKey extends VerificationKey {
  readonly jwk: RsaJwk | EllipticJwk;
  /** The algorithm with which tokens are signed and which the published key has. */
  readonly algorithm: AccountAlgorithm;
}

export type AccountAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface AccountKeys {
  /** All keys, in the order of files and PEM blocks. */
  readonly all: readonly AccountKey[];
  readonly byId: ReadonlyMap<string, readonly AccountKey[]>;
}

export interface KeyFile {
  readonly path: string;
  readonly text: string;
}

export type AccountKeysReading =
  | {
      readonly kind: 'keys';
      readonly keys: AccountKeys;
      /** Warnings about keys that cannot verify signatures. */
      readonly warnings: readonly string[];
    }
  /** The error message of kube-apiserver. */
  | { readonly kind: 'error'; readonly error: string };

export interface KeyPorts {
  readonly digest: Digest;
  readonly signatures: Signatures;
  readonly privateKeys: PrivateKeys;
}

/** Parses key files. A file without keys is an error. */
export const readAccountKeys = (files: readonly KeyFile[], ports: KeyPorts): AccountKeysReading => {
  const all: AccountKey[] = [];
  const warnings: string[] = [];
  for (const { path, text } of files) {
    const pemKeys = readPemKeys(text, ports.privateKeys);
    if (pemKeys.length === 0) {
      return { kind: 'error', error: `error reading public key file ${path}: ${noKeysMessage}` };
    }
    for (const { jwk, spki } of pemKeys) {
      const keyId = keyIdOf(spki, ports.digest);
      const algorithm = algorithmOf(jwk);
      try {
        all.push({ keyId, jwk, algorithm, prepared: ports.signatures.prepare(jwk) });
      } catch (cause) {
        // As in kube-apiserver, an unusable key is retained and matches no signature.
        all.push({ keyId, jwk, algorithm, prepared: undefined });
        const why = cause instanceof Error ? cause.message : String(cause);
        warnings.push(`key ${keyId} in ${path} cannot verify signatures: ${why}`);
      }
    }
  }
  return { kind: 'keys', keys: accountKeys(all), warnings };
};

/** The error for a file without keys. */
export const noKeysMessage = 'data does not contain any valid RSA or ECDSA public keys';

export const accountKeys = (all: readonly AccountKey[]): AccountKeys => ({
  all,
  byId: Map.groupBy(all, ({ keyId }) => keyId),
});

/**
 * Returns the ID of a key: a digest of the public key in DER, from which the key cannot be derived.
 */
const keyIdOf = (publicKeyInfo: Uint8Array, digest: Digest): string =>
  encodeBase64Url(digest.sha256(publicKeyInfo));

const algorithmOfCurve = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;

const algorithmOf = (jwk: RsaJwk | EllipticJwk): AccountAlgorithm =>
  jwk.kty === 'RSA' ? 'RS256' : algorithmOfCurve[jwk.crv];
