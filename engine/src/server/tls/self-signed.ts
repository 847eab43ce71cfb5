/**
 * The certificate of a listener without certificate files: an authority that is created at startup,
 * and a leaf.
 */
import { issueCertificate } from './issue-certificate.ts';

export interface SelfSignedOptions {
  /** DNS names and IP addresses of the listener. */
  readonly hosts: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface SelfSignedCertificate {
  /** The certificate that clients have to trust. */
  readonly authorityPem: string;
  /** The leaf and the authority, as a TLS server sends them. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

const hour = 3_600_000;
const lifetime = 365 * 24 * hour;

/** Creates a certificate. The key of the authority is discarded: it signs nothing else. */
export const createSelfSigned = ({ hosts, now }: SelfSignedOptions): SelfSignedCertificate => {
  const validity = { notBefore: now - hour, notAfter: now + lifetime };
  const authority = issueCertificate({
    commonName: `authgraph-ca@${Math.floor(now / 1000)}`,
    role: 'authority',
    ...validity,
  });
  const commonName = hosts[0] ?? 'localhost';
  const leaf = issueCertificate({ commonName, role: 'server', hosts, ...validity }, authority);
  return {
    authorityPem: authority.certificatePem,
    certificatePem: leaf.certificatePem + authority.certificatePem,
    privateKeyPem: leaf.privateKeyPem,
  };
};
