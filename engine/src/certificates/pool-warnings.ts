/** Authorities that are there and stand behind nobody: what an operator should know of a bundle. */
import {
  certificateTitle,
  isCertificateAuthority,
  canSignCertificates,
} from '../formats/certificate-authority.ts';
import type { Certificate } from './certificate.ts';
import { isForClients } from './purpose.ts';

/** `now` in milliseconds since 1970; one sentence a certificate that is of no use as it is meant. */
export const poolWarnings = (authorities: readonly Certificate[], now: number): readonly string[] =>
  authorities.flatMap((certificate) => {
    const problem = uselessReason(certificate, now);
    return problem === undefined ? [] : [`certificate ${certificateTitle(certificate)} ${problem}`];
  });

const uselessReason = (certificate: Certificate, now: number): string | undefined => {
  const { hasUnhandledCritical } = certificate.extensions;
  if (now > certificate.notAfter)
    return `ended at ${formatTime(certificate.notAfter)}: no certificate is good by it`;
  if (now < certificate.notBefore)
    return `begins at ${formatTime(certificate.notBefore)}: until then no certificate is good by it`;
  if (hasUnhandledCritical)
    return 'has a critical extension that is not known: no certificate is good by it';
  if (!isForClients(certificate)) return 'is not for clients: no certificate is good by it';
  if (!isCertificateAuthority(certificate))
    return 'is no authority: only whoever has its own key is known by it';
  return !canSignCertificates(certificate)
    ? 'may not sign certificates: only whoever has its own key is known by it'
    : undefined;
};

const formatTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
