/** Creates valid and invalid certificates for servers on loopback. */
import { makeCert } from '../attacks/lib/der.mjs';

export interface TestCertificate {
  readonly pem: string;
  readonly keyPem: string;
}

export interface TestAuthority extends TestCertificate {
  /** Issues a server certificate; by default valid now, and for loopback by address and name. */
  issue(spec?: {
    readonly names?: readonly string[];
    readonly addresses?: readonly string[];
    readonly notBeforeSeconds?: number;
    readonly notAfterSeconds?: number;
  }): TestCertificate;
}

/** Creates a certificate authority. */
export const testAuthority = (commonName = 'test authority'): TestAuthority => {
  const authority = makeCert({ subject: [['CN', commonName]], ca: true });
  return {
    pem: authority.pem,
    keyPem: authority.keyPem,
    issue({ names = ['localhost'], addresses = ['127.0.0.1'], ...spec } = {}) {
      const san = [
        ...names.map((name): [string, string] => ['dns', name]),
        ...addresses.map((address): [string, string] => ['ip', hexOfAddress(address)]),
      ];
      return makeCert(
        {
          subject: [['CN', 'localhost']],
          eku: ['serverAuth'],
          ...(san.length === 0 ? {} : { san }),
          notBefore: spec.notBeforeSeconds ?? -3600,
          notAfter: spec.notAfterSeconds ?? 86_400,
        },
        authority,
      );
    },
  };
};

const hexOfAddress = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');
