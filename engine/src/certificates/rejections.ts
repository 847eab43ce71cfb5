/** Reasons for which a client certificate is rejected, with their codes and explanations. */

export interface CertificateRejection {
  readonly code: string;
  readonly name: string;
  readonly meaning: string;
  readonly fix: string;
}

/** All reasons. */
export const certificateRejections = {
  notTrusted: {
    code: 'AG5040',
    name: 'certificate-not-trusted',
    meaning: 'The client certificate has no valid chain to a configured certificate authority.',
    fix: 'The log says what was wrong with it: its time, its purpose, its names, or who signed it.',
  },
  unreadable: {
    code: 'AG5041',
    name: 'certificate-unreadable',
    meaning: 'A client certificate cannot be parsed, or the client sent too many certificates.',
    fix: 'Make the certificate anew with an ordinary tool; send its intermediates and nothing else.',
  },
} as const satisfies Readonly<Record<string, CertificateRejection>>;
