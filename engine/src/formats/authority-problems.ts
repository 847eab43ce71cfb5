/**
 * Checks whether a certificate may issue others: a certificate authority needs the CA flag and, if
 * its key usage is limited, `keyCertSign`. See RFC 5280, 4.2.1.3 and 4.2.1.9.
 */
import { formatRfc3339 } from './go-rfc3339.ts';
import type { ParsedCertificate } from './x509/certificate.ts';

export type AuthorityProblem =
  | { readonly kind: 'expired'; readonly at: number }
  | { readonly kind: 'not-yet-valid'; readonly at: number }
  /** The certificate is self-issued. */
  | { readonly kind: 'no-ca-flag' }
  /** The certificate was issued by another authority, whose certificate is needed instead. */
  | { readonly kind: 'leaf' }
  | { readonly kind: 'no-cert-sign' };

/**
 * Returns why a certificate cannot issue others. `now` is in milliseconds since 1970; if it is
 * `undefined`, the validity period is not checked.
 */
export const authorityProblem = (
  certificate: ParsedCertificate,
  now: number | undefined,
): AuthorityProblem | undefined => {
  const { notBefore, notAfter } = certificate;
  if (now !== undefined && now > notAfter) return { kind: 'expired', at: notAfter };
  if (now !== undefined && now < notBefore) return { kind: 'not-yet-valid', at: notBefore };
  if (!isCertificateAuthority(certificate))
    return { kind: isSelfIssued(certificate) ? 'no-ca-flag' : 'leaf' };
  return canSignCertificates(certificate) ? undefined : { kind: 'no-cert-sign' };
};

/** Checks the CA flag. Certificates before version 3 have no extensions and need no flag. */
export const isCertificateAuthority = ({ version, extensions }: ParsedCertificate): boolean =>
  extensions.basicConstraints === undefined
    ? version !== 3
    : extensions.basicConstraints.isAuthority;

/** `keyCertSign`, bit 5 of the key usage. */
const certSign = 1 << 5;

export const canSignCertificates = ({ extensions: { keyUsage } }: ParsedCertificate): boolean =>
  keyUsage === 0 || (keyUsage & certSign) !== 0;

const isSelfIssued = ({ issuer, subject }: ParsedCertificate): boolean =>
  issuer.length === subject.length && issuer.every((byte, index) => byte === subject[index]);

/**
 * Describes the consequence for TLS connections; the caller prepends the name of the certificate.
 */
const describeProblem = (problem: AuthorityProblem): string => {
  switch (problem.kind) {
    case 'expired':
      return `expired at ${formatRfc3339(problem.at)}`;
    case 'not-yet-valid':
      return `is not valid before ${formatRfc3339(problem.at)}`;
    case 'no-ca-flag':
      return 'has no CA flag (basic constraint CA:TRUE), so it cannot verify the certificates that it issued';
    case 'leaf':
      return 'is the certificate of a server or client, not of the authority that issued it';
    case 'no-cert-sign':
      return 'cannot sign certificates: its key usage lacks keyCertSign';
  }
};

const commonName = '2.5.4.3';
const organization = '2.5.4.10';

/** Returns `"issuer.example.com" (SN=12)`, with the common name or else the organization. */
export const certificateTitle = ({
  serialNumber,
  subjectAttributes,
}: ParsedCertificate): string => {
  const attributeOf = (type: string): string | undefined =>
    subjectAttributes.findLast((attribute) => attribute.type === type)?.value || undefined;
  const name = attributeOf(commonName) ?? attributeOf(organization);
  const number = `SN=${serialNumber}`;
  return name === undefined ? number : `${JSON.stringify(name)} (${number})`;
};

/** Describes why a certificate cannot issue others; `undefined` if it can. */
export const authorityProblemText = (
  certificate: ParsedCertificate,
  now: number | undefined,
): string | undefined => {
  const problem = authorityProblem(certificate, now);
  return problem && describeProblem(problem);
};

/**
 * Describes the certificates of a bundle that cannot verify others. A malformed bundle gives none.
 */
export const authorityProblems = (
  certificates: readonly ParsedCertificate[] | string,
  now: number | undefined,
): readonly string[] =>
  typeof certificates === 'string'
    ? []
    : certificates.flatMap((certificate) => {
        const problem = authorityProblemText(certificate, now);
        return problem === undefined
          ? []
          : [`certificate ${certificateTitle(certificate)} ${problem}`];
      });
