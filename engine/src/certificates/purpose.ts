/** Extended key usages of certificates. */
import type { Certificate } from './certificate.ts';

const clientAuthentication = '1.3.6.1.5.5.7.3.2';
const anyPurpose = '2.5.29.37.0';

/**
 * Returns true if the certificate may be used for client authentication. One without extended key
 * usages may.
 */
export const isForClients = ({ extensions: { extendedKeyUsage } }: Certificate): boolean =>
  extendedKeyUsage.length === 0 ||
  extendedKeyUsage.includes(clientAuthentication) ||
  extendedKeyUsage.includes(anyPurpose);
