/** An index of certificates by subject, to find the possible issuers of a certificate. */
import { sameBytes } from '../formats/bytes.ts';
import { toLatin1 } from '../formats/x509/der.ts';
import type { Certificate } from './certificate.ts';

export interface CertificateIndex {
  has(certificate: Certificate): boolean;
  /**
   * Returns the certificates whose subject is the child's issuer, those with a matching key ID
   * first.
   */
  potentialParents(child: Certificate): readonly Certificate[];
}

/** Creates an index. Duplicates count once. */
export const certificateIndex = (certificates: readonly Certificate[]): CertificateIndex => {
  const bySubject = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const subject = toLatin1(certificate.subject);
    const same = bySubject.get(subject);
    if (same === undefined) bySubject.set(subject, [certificate]);
    else if (!same.some(({ der }) => sameBytes(der, certificate.der))) same.push(certificate);
  }
  const withSubject = (name: Uint8Array): readonly Certificate[] =>
    bySubject.get(toLatin1(name)) ?? [];
  return {
    has: ({ subject, der }) => withSubject(subject).some((other) => sameBytes(other.der, der)),
    potentialParents: (child) =>
      withSubject(child.issuer).toSorted(
        (left, right) => keyIdMismatch(child, left) - keyIdMismatch(child, right),
      ),
  };
};

/**
 * Ranks a candidate: 0 if the key IDs are equal or both absent, 1 if one is absent, 2 if they
 * differ.
 */
const keyIdMismatch = (child: Certificate, parent: Certificate): number => {
  const expectedKeyId = child.extensions.authorityKeyId;
  const keyId = parent.extensions.subjectKeyId;
  if (sameBytes(expectedKeyId, keyId)) return 0;
  return expectedKeyId.length === 0 || keyId.length === 0 ? 1 : 2;
};

const indexes = new WeakMap<readonly Certificate[], CertificateIndex>();

/**
 * Returns the index of a pool's authorities. It is created once for each generation of the pool.
 */
export const authorityIndex = (authorities: readonly Certificate[]): CertificateIndex => {
  const cached = indexes.get(authorities);
  if (cached !== undefined) return cached;
  const index = certificateIndex(authorities);
  indexes.set(authorities, index);
  return index;
};
