/** Reasons for which a trusted certificate is rejected. */
import type { CertificateRejection } from '../../certificates/rejections.ts';

export const uidRejection = {
  code: 'AG5042',
  name: 'certificate-uid',
  meaning: 'The subject of the client certificate has several UIDs or an empty UID.',
  fix: 'Make the certificate anew with one attribute 1.3.6.1.4.1.57683.2, or none.',
} as const satisfies CertificateRejection;
