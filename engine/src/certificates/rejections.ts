/** Reasons for which a certificate is rejected by more than one authenticator. */
import { defineRejection } from '../model/rejection.ts';

export const certificateNotTrusted = defineRejection({
  code: 'AG5040',
  name: 'certificate-not-trusted',
  text: (problem: string) => problem,
  meaning: 'The client certificate has no valid chain to a configured certificate authority.',
});

export const certificateUnreadable = defineRejection({
  code: 'AG5041',
  name: 'certificate-unreadable',
  text: (problem: string) => problem,
  meaning: 'A client certificate cannot be parsed, or the client sent too many certificates.',
});
