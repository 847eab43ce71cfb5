/** Why a certificate is refused: one row a reason, with its code and what it means for its reader. */

export interface CertificateRejection {
  readonly code: string;
  readonly name: string;
  readonly meaning: string;
  readonly fix: string;
}

/** Every reason why a certificate is not good. */
export const certificateRejections = {
  notTrusted: {
    code: 'AG5040',
    name: 'certificate-not-trusted',
    meaning:
      'No chain of good certificates leads from the client certificate to a configured authority.',
    fix: 'The log says what was wrong with it: its time, its purpose, its names, or who signed it.',
  },
  unreadable: {
    code: 'AG5041',
    name: 'certificate-unreadable',
    meaning: 'A certificate of the client cannot be read, or there are too many of them.',
    fix: 'Make the certificate anew with an ordinary tool; send its intermediates and nothing else.',
  },
} as const satisfies Readonly<Record<string, CertificateRejection>>;
