/**
 * Signs with OpenSSL in the thread pool: an RSA signature would block all requests for a
 * millisecond.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { pemBlocks } from '../formats/x509/pem.ts';
import type { SignerReading, Signing, TokenSigner } from '../ports/signing.ts';

/** Types of PEM blocks that contain a private key, and the encoding of each. */
const keyForms: ReadonlyMap<string, 'sec1' | 'pkcs1' | 'pkcs8'> = new Map([
  ['EC PRIVATE KEY', 'sec1'],
  ['RSA PRIVATE KEY', 'pkcs1'],
  ['PRIVATE KEY', 'pkcs8'],
]);

export const nodeSigning = (): Signing => ({
  readSigner(pem) {
    for (const { type, bytes } of pemBlocks(pem)) {
      const form = keyForms.get(type);
      const key = form === undefined ? undefined : readKey(bytes, form);
      if (key !== undefined) return signerOf(key);
    }
    const error = 'data does not contain a valid RSA or ECDSA private key';
    return { kind: 'unreadable', error };
  },
});

/** Returns `undefined` for bytes that are not such a key: the next block may be one. */
const readKey = (der: Uint8Array, type: 'sec1' | 'pkcs1' | 'pkcs8'): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type });
  } catch {
    return undefined;
  }
};

const curves: ReadonlyMap<string, { readonly algorithm: string; readonly digest: string }> =
  new Map([
    ['prime256v1', { algorithm: 'ES256', digest: 'sha256' }],
    ['secp384r1', { algorithm: 'ES384', digest: 'sha384' }],
    ['secp521r1', { algorithm: 'ES512', digest: 'sha512' }],
  ]);

/** Key types as kube-apiserver's messages name them. */
const goTypeNames: ReadonlyMap<string, string> = new Map([
  ['ed25519', 'ed25519.PrivateKey'],
  ['x25519', '*ecdh.PrivateKey'],
]);

const signerOf = (key: KeyObject): SignerReading => {
  const type = key.asymmetricKeyType ?? '';
  if (type === 'rsa') return { kind: 'signer', signer: signer(key, 'RS256', 'sha256') };
  if (type === 'ec') {
    const curve = curves.get(key.asymmetricKeyDetails?.namedCurve ?? '');
    if (curve !== undefined) {
      return { kind: 'signer', signer: signer(key, curve.algorithm, curve.digest) };
    }
    const error =
      'could not generate signer for ECDSA keypair: unknown private key curve, must be 256, 384, or 521';
    return { kind: 'unfit', error };
  }
  const error = `unknown private key type ${goTypeNames.get(type) ?? type}, must be *rsa.PrivateKey, *ecdsa.PrivateKey, or jose.OpaqueSigner`;
  return { kind: 'unfit', error };
};

const signer = (key: KeyObject, algorithm: string, digest: string): TokenSigner => {
  const info = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    keyId: hash('sha256', info, 'base64url'),
    algorithm,
    sign: (signingInput) =>
      new Promise((resolve, reject) => {
        const options = { key, dsaEncoding: 'ieee-p1363' as const };
        sign(digest, Buffer.from(signingInput, 'utf8'), options, (cause, signature) => {
          if (cause === null) resolve(signature);
          else reject(new Error('signing failed', { cause }));
        });
      }),
  };
};
