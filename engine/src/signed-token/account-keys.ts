/** The keys that tokens of service accounts are signed with: out of key files, found by their id. */
import { encodeBase64Url } from '../formats/base64.ts';
import type { Digest } from '../ports/digest.ts';
import type { PrivateKeys } from '../ports/private-keys.ts';
import type { Signatures } from '../ports/signatures.ts';
import type { VerificationKey } from './key-set.ts';
import { type EllipticJwk, type RsaJwk, readPemKeys } from './pem-keys.ts';

export interface AccountKey extends VerificationKey {
  readonly jwk: RsaJwk | EllipticJwk;
  /** What a signer with this key signs with, and what the published key says. */
  readonly algorithm: AccountAlgorithm;
}

export type AccountAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface AccountKeys {
  /** In the order of files and blocks. */
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
      /** About keys that check no signature, in our words. */
      readonly warnings: readonly string[];
    }
  /** In the real server's words. */
  | { readonly kind: 'error'; readonly error: string };

export interface KeyPorts {
  readonly digest: Digest;
  readonly signatures: Signatures;
  readonly privateKeys: PrivateKeys;
}

/** Files that were read -> keys; a file without any is an error. */
export const readAccountKeys = (files: readonly KeyFile[], ports: KeyPorts): AccountKeysReading => {
  const all: AccountKey[] = [];
  const warnings: string[] = [];
  for (const { path, text } of files) {
    const pemKeys = readPemKeys(text, ports.privateKeys);
    if (pemKeys.length === 0) {
      return { kind: 'error', error: `error reading public key file ${path}: ${noKeysMessage}` };
    }
    for (const { jwk, spki: info } of pemKeys) {
      const keyId = keyIdOf(info, ports.digest);
      const algorithm = algorithmOf(jwk);
      try {
        all.push({ keyId, jwk, algorithm, prepared: ports.signatures.prepare(jwk) });
      } catch (cause) {
        // As the real server does: such a key is there, and no signature fits it.
        all.push({ keyId, jwk, algorithm, prepared: undefined });
        const why = cause instanceof Error ? cause.message : String(cause);
        warnings.push(`key ${keyId} of ${path} checks no signature: ${why}`);
      }
    }
  }
  return { kind: 'keys', keys: accountKeys(all), warnings };
};

/** What a file without keys is told. */
export const noKeysMessage = 'data does not contain any valid RSA or ECDSA public keys';

export const accountKeys = (all: readonly AccountKey[]): AccountKeys => ({
  all,
  byId: Map.groupBy(all, ({ keyId }) => keyId),
});

/** Of the DER form of the public key; nobody gets the key from it. */
const keyIdOf = (publicKeyInfo: Uint8Array, digest: Digest): string =>
  encodeBase64Url(digest.sha256(publicKeyInfo));

const algorithmOfCurve = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const;

const algorithmOf = (jwk: RsaJwk | EllipticJwk): AccountAlgorithm =>
  jwk.kty === 'RSA' ? 'RS256' : algorithmOfCurve[jwk.crv];
