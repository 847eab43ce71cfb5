/** Certificates by their subject: who may have signed this one? */
import { sameBytes } from '../formats/bytes.ts';
import { toLatin1 } from '../formats/x509/der.ts';
import type { Certificate } from './certificate.ts';

export interface CertificateIndex {
  has(certificate: Certificate): boolean;
  /** Whose subject is the issuer: the likeliest first, by the identifiers of keys. */
  potentialParents(child: Certificate): readonly Certificate[];
}

/** Each counts once, however often it is there. */
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

/** 0: both name one key, or neither names any. 1: one is silent. 2: they name two keys. */
const keyIdMismatch = (child: Certificate, parent: Certificate): number => {
  const expectedKeyId = child.extensions.authorityKeyId;
  const keyId = parent.extensions.subjectKeyId;
  if (sameBytes(expectedKeyId, keyId)) return 0;
  return expectedKeyId.length === 0 || keyId.length === 0 ? 1 : 2;
};

const indexes = new WeakMap<readonly Certificate[], CertificateIndex>();

/** The same for the authorities of a pool, made once for each of its generations. */
export const authorityIndex = (authorities: readonly Certificate[]): CertificateIndex => {
  const cached = indexes.get(authorities);
  if (cached !== undefined) return cached;
  const index = certificateIndex(authorities);
  indexes.set(authorities, index);
  return index;
};
