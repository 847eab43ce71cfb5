/** Reasons for which a proxy with a trusted certificate is rejected. */
import type { CertificateRejection } from '../../certificates/rejections.ts';

export const proxyNameRejection = {
  code: 'AG5043',
  name: 'proxy-name-not-allowed',
  meaning: 'The common name in the certificate of the authenticating proxy is not allowed.',
  fix: 'Give the proxy a certificate with a name of --requestheader-allowed-names, or add its name.',
} as const satisfies CertificateRejection;
