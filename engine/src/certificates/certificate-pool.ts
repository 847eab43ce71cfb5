/** Authorities that certificates of clients are judged against; it may change while it is used. */
import type { Certificate } from './certificate.ts';

export interface CertificatePool {
  /** Shown in messages: `client-ca-bundle::/etc/ca.crt`. */
  readonly name: string;
  /** Grows with every change; a verdict is good for one generation. */
  generation(): number;
  authorities(): readonly Certificate[];
}
