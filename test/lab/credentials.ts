/**
 * Credentials of the lab's clients other than tokens of the issuer, and the files that the server
 * needs for them.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MadeCertificate, makeCert } from '../attacks/lib/der.mjs';

export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface LabCredentials {
  /** Client certificates by the name that requests use. */
  readonly certificates: ReadonlyMap<string, ClientCertificate>;
  /** The flags of kube-apiserver for these credentials. */
  readonly flags: readonly string[];
}

const uidType = '1.3.6.1.4.1.57683.2';
const day = 86_400;

/** Writes the files into the folder. */
export const makeCredentials = (folder: string): LabCredentials => {
  const authority = (name: string): MadeCertificate =>
    makeCert({ subject: [['CN', name]], ca: true });
  const clients = authority('lab-ca');
  const proxies = authority('front-ca');
  const others = authority('other-ca');
  const client = (
    subject: readonly (readonly [string, string])[],
    issuer = clients,
    spec: { readonly eku?: readonly string[]; readonly notAfter?: number } = {},
  ): ClientCertificate => {
    const { eku = ['clientAuth'], notAfter = 30 * day } = spec;
    const made = makeCert({ subject, eku, notBefore: -40 * day, notAfter }, issuer);
    return { cert: made.pem, key: made.keyPem };
  };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    certificates: new Map([
      ['admin', client([organization('system:masters'), commonName('root-admin')])],
      ['alice', client([organization('dev'), organization('ops'), commonName('alice')])],
      ['noorg', client([commonName('bob')])],
      ['nocn', client([organization('dev')])],
      ['uid', client([organization('dev'), commonName('carol'), [uidType, 'u-77']])],
      ['expired', client([organization('dev'), commonName('eve')], clients, { notAfter: -day })],
      [
        'serveronly',
        client([organization('dev'), commonName('mallory')], clients, { eku: ['serverAuth'] }),
      ],
      ['stranger', client([organization('system:masters'), commonName('alice')], others)],
      [
        'dup',
        client(
          [
            organization('a'),
            organization('a'),
            organization('system:masters'),
            commonName('dave'),
          ],
          others,
        ),
      ],
      ['front-proxy', client([commonName('front-proxy-client')], proxies)],
      ['front-bad', client([commonName('someone-else')], proxies)],
      ['impersonator', client([organization('imps'), commonName('imp')])],
    ]),
    flags: [
      `--client-ca-file=${file('clients.crt', clients.pem)}`,
      `--token-auth-file=${file('tokens.csv', staticTokens)}`,
      '--enable-bootstrap-token-auth=true',
      `--service-account-key-file=${file(
        'sa.pub',
        accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      )}`,
      `--service-account-signing-key-file=${file(
        'sa.key',
        accounts.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      )}`,
      '--service-account-issuer=https://sa.lab.example',
      `--requestheader-client-ca-file=${file('proxies.crt', proxies.pem)}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-uid-headers=X-Remote-Uid',
    ],
  };
};

const organization = (name: string): readonly [string, string] => ['O', name];
const commonName = (name: string): readonly [string, string] => ['CN', name];

const staticTokens = `static-one,sue,1001,"dev,ops"
static-two,tom,1002
static-imp,imp,77,imps
static-sys,sysuser,9,"system:custom"
`;
