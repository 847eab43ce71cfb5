/** Describes the certificates of an issuer's certificate authority, and when they expire. */
import { authorityProblemText, certificateTitle } from '../../formats/authority-problems.ts';
import { counted } from '../../formats/counted.ts';
import { type ParsedCertificate, readCertificateBundle } from '../../formats/x509/certificate.ts';
import { oncePer } from '../../source/once.ts';

export interface AuthorityCertificate {
  /** The subject and the serial number, such as `"issuer.example.com" (SN=12)`. */
  readonly title: string;
  /** The last day on which it is valid, such as `2027-04-30`. */
  readonly lastDay: string;
  /** `12 days left`, or why it cannot verify the certificates of the issuer. */
  readonly status: string;
  /** Whether it is valid and expires within a month. */
  readonly expiresSoon: boolean;
}

/** Returns none for malformed PEM. `now` is in milliseconds since 1970. */
export const authorityCertificates = (
  bundle: { readonly value: string },
  now: number,
): readonly AuthorityCertificate[] =>
  certificatesOf(bundle).map((certificate) => {
    const problem = authorityProblemText(certificate, now);
    const days = Math.floor((certificate.notAfter - now) / dayMs);
    return {
      title: certificateTitle(certificate),
      lastDay: new Date(certificate.notAfter).toISOString().replace(/T.*/, ''),
      status: problem ?? `${counted(days, 'day')} left`,
      expiresSoon: problem === undefined && days < soonDays,
    };
  });

const certificatesOf = oncePer(
  ({ value }: { readonly value: string }): readonly ParsedCertificate[] => {
    const certificates = readCertificateBundle(value);
    return typeof certificates === 'string' ? [] : certificates;
  },
);

const dayMs = 86_400_000;

/** A certificate with fewer days left gets a hint. */
const soonDays = 30;
