/** Warnings about authorities in a CA bundle that no client certificate can be verified with. */
import {
  canSignCertificates,
  certificateTitle,
  isCertificateAuthority,
} from '../formats/authority-problems.ts';
import { formatRfc3339 } from '../formats/go-rfc3339.ts';
import type { Certificate } from './certificate.ts';
import { isForClients } from './purpose.ts';

/**
 * Returns one warning per certificate that cannot be used as an authority. `now` is in milliseconds
 * since 1970.
 */
export const poolWarnings = (authorities: readonly Certificate[], now: number): readonly string[] =>
  authorities.flatMap((certificate) => {
    const problem = uselessReason(certificate, now);
    return problem === undefined ? [] : [`certificate ${certificateTitle(certificate)} ${problem}`];
  });

const uselessReason = (certificate: Certificate, now: number): string | undefined => {
  const { hasUnhandledCritical } = certificate.extensions;
  if (now > certificate.notAfter)
    return `expired at ${formatRfc3339(certificate.notAfter)}; it cannot verify any certificate`;
  if (now < certificate.notBefore)
    return `is not valid before ${formatRfc3339(certificate.notBefore)}; until then it cannot verify any certificate`;
  if (hasUnhandledCritical)
    return 'has an unsupported critical extension; it cannot verify any certificate';
  if (!isForClients(certificate))
    return 'is not for client authentication; it cannot verify any certificate';
  if (!isCertificateAuthority(certificate))
    return 'is not a CA certificate; it is accepted only as a client certificate itself';
  return !canSignCertificates(certificate)
    ? 'may not sign certificates; it is accepted only as a client certificate itself'
    : undefined;
};
