/** Why the module refuses a proxy whose certificate is trusted. */
import type { CertificateRejection } from '../../certificates/rejections.ts';

export const proxyNameRejection = {
  code: 'AG5043',
  name: 'proxy-name-not-allowed',
  meaning: 'The certificate is of an authority of proxies, but its common name is not allowed.',
  fix: 'Give the proxy a certificate with a name of --requestheader-allowed-names, or add its name.',
} as const satisfies CertificateRejection;
