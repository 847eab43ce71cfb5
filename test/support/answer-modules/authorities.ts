/**
 * Reads the authorities of cases, which were recorded with a pool that ignores unreadable
 * certificates.
 */
import type { ReloadablePool } from '../../../engine/src/certificates/certificate-pool.ts';
import { readCertificate } from '../../../engine/src/formats/x509/certificate.ts';
import { pemBlocks } from '../../../engine/src/formats/x509/pem.ts';

export const poolOf = (pem = ''): ReloadablePool => {
  const authorities = pemBlocks(pem)
    .filter(({ type }) => type === 'CERTIFICATE')
    .map(({ bytes }) => readCertificate(bytes))
    .filter((certificate) => typeof certificate !== 'string');
  return {
    name: 'ca.pem',
    generation: () => 1,
    authorities: () => authorities,
    reload: () => ({ kind: 'unchanged' }),
  };
};
