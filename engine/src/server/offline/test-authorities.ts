/**
 * Certificate authorities for tests, which exist only in memory. The one of client certificates and
 * that of the authenticating proxy are trusted in addition to those of the flags.
 */
import { X509Certificate } from 'node:crypto';
import type { PeerCertificates } from '../../model/request.ts';
import { type IssuedCertificate, issueCertificate } from '../tls/issue-certificate.ts';

export type TestAuthority = 'client-ca' | 'requestheader-client-ca' | 'unknown';

export interface TestAuthorities {
  /** PEM of the certificate of an authority. */
  pem(authority: TestAuthority): string;
  /** Issues a client certificate; equal ones are issued once. */
  certificate(request: {
    readonly by: TestAuthority;
    readonly commonName: string;
    readonly organizations: readonly string[];
  }): PeerCertificates;
}

/** Valid at any time that a test may set. */
const validity = { notBefore: Date.UTC(2000, 0, 1), notAfter: Date.UTC(2099, 11, 31) };

export const createTestAuthorities = (): TestAuthorities => {
  const authorities = new Map<TestAuthority, IssuedCertificate>();
  const issued = new Map<string, Uint8Array>();
  const authority = (name: TestAuthority): IssuedCertificate => {
    const known =
      authorities.get(name) ??
      issueCertificate({ commonName: `authgraph-test-${name}`, role: 'authority', ...validity });
    authorities.set(name, known);
    return known;
  };
  return {
    pem: (name) => authority(name).certificatePem,
    certificate({ by, commonName, organizations }) {
      const key = JSON.stringify([by, commonName, organizations]);
      let der = issued.get(key);
      if (der === undefined) {
        const request = { commonName, organizations, role: 'client', ...validity } as const;
        const { certificatePem } = issueCertificate(request, authority(by));
        der = new X509Certificate(certificatePem).raw;
        issued.set(key, der);
      }
      // A new value, because results of verifying a chain are cached by it.
      return { chain: [der] };
    },
  };
};
