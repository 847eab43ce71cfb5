/** Reasons for which a certificate is rejected by more than one authenticator. */
import { defineRejection } from '../model/rejection.ts';

export const certificateNotTrusted = defineRejection({
  code: 'AG5040',
  name: 'certificate-not-trusted',
  text: (problem: string) => problem,
  meaning: 'The client certificate has no valid chain to a configured certificate authority.',
  fix: 'The log says what was wrong with it: its time, its purpose, its names, or who signed it.',
});

export const certificateUnreadable = defineRejection({
  code: 'AG5041',
  name: 'certificate-unreadable',
  text: (problem: string) => problem,
  meaning: 'A client certificate cannot be parsed, or the client sent too many certificates.',
  fix: 'Make the certificate anew with an ordinary tool; send its intermediates and nothing else.',
});
