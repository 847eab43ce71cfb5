/** Verifies signatures of certificates with OpenSSL. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type {
  CertificateSignature,
  CertificateSignatures,
} from '../ports/certificate-signatures.ts';

export const nodeCertificateSignatures = (): CertificateSignatures => {
  // An authority signs many certificates: its key is parsed once and released together with its
  // certificate.
  const keys = new WeakMap<Uint8Array, KeyObject>();
  const keyOf = (info: Uint8Array): KeyObject => {
    const cached = keys.get(info);
    if (cached !== undefined) return cached;
    const key = createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' });
    keys.set(info, key);
    return key;
  };
  return {
    verify(check) {
      try {
        return verify(
          check.digest ?? null,
          check.signed,
          optionsOf(check, keyOf(check.publicKeyInfo)),
          check.signature,
        );
      } catch {
        return false;
      }
    },
  };
};

const optionsOf = ({ scheme }: CertificateSignature, key: KeyObject) => {
  if (scheme !== 'rsa-pss') return { key };
  return {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
};
