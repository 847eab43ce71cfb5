/**
 * The environment of a server with every module: files, an issuer, a webhook, authorities, and
 * people whose tokens, certificates and names are known, so that each response can be checked.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestAuthority, testAuthority } from '../../support/certificates.ts';
import { kubeconfigText } from '../../support/webhook-client.ts';
import { type RequestOptions, sendRequest } from './ask.ts';
import { type Issuer, type Peer, type PeerOptions, startIssuer, startPeer } from './peer.ts';
import type { Question } from './questions.ts';

export interface TestEnvironment {
  readonly folder: string;
  /** Signs the certificates of issuers and webhook. */
  readonly authority: TestAuthority;
  readonly issuers: readonly Issuer[];
  readonly webhook: Peer;
  /** Flags of a server with every module. */
  readonly args: readonly string[];
  write(name: string, text: string): string;
  /** Replaces a file atomically by a rename. */
  replace(name: string, text: string): void;
  end(): void;
}

export const admin = 'static-canary-of-the-admin-0123456789';
const clerk = 'static-canary-of-the-clerk-0123456789';
const known = 'webhook-canary-of-wanda-0123456789';
const bootstrap = { id: 'abcdef', secret: '0123456789abcdef' };

/** Returns the entry of an issuer; `prefix` distinguishes configurations. */
export const issuerEntry = (url: string, authority: string, prefix: string): string =>
  [
    '- issuer:',
    `    url: ${url}`,
    '    audiences: [app]',
    '    certificateAuthority: |',
    authority.trimEnd().replaceAll(/^/gm, '      '),
    '  claimMappings:',
    `    username: {claim: sub, prefix: ${JSON.stringify(prefix)}}`,
    `    groups: {claim: groups, prefix: ${JSON.stringify(prefix)}}`,
  ].join('\n');

export const configurationText = (entries: readonly string[]): string =>
  [
    'apiVersion: apiserver.config.k8s.io/v1',
    'kind: AuthenticationConfiguration',
    'jwt:',
    ...entries,
    '',
  ].join('\n');

export interface EnvironmentOptions {
  readonly issuers?: number;
  readonly folder?: string;
  /** The location of issuers and webhook. */
  readonly peers?: PeerOptions;
}

export const createEnvironment = async ({
  issuers: count = 2,
  ...options
}: EnvironmentOptions = {}): Promise<TestEnvironment> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'authgraph-faults-'));
  const authority = testAuthority('authority of peers');
  const issuers: Issuer[] = [];
  for (let at = 0; at < count; at += 1) issuers.push(await startIssuer(authority, options.peers));
  const webhook = await startPeer(authority, options.peers);
  await webhook.know({ [known]: { username: 'wanda', groups: ['hooked'] } });
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const accountKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  write('sa.key', accountKey.privateKey.export({ format: 'pem', type: 'sec1' }).toString());
  write('sa.pub', accountKey.publicKey.export({ format: 'pem', type: 'spki' }).toString());
  write('tokens.csv', `${admin},admin,1,system:masters\n${clerk},clerk,2,office\n`);
  write('peers.pem', authority.pem);
  write(
    'webhook.kubeconfig',
    kubeconfigText(`${webhook.url}/authenticate`, { 'certificate-authority': 'peers.pem' }, {}),
  );
  write(
    'authentication.yaml',
    configurationText(issuers.map(({ url }, at) => issuerEntry(url, authority.pem, `i${at}:`))),
  );
  return {
    folder,
    authority,
    issuers,
    webhook,
    write,
    replace(name, text) {
      renameSync(write(`${name}.next`, text), join(folder, name));
    },
    args: [
      '--authentication-config=authentication.yaml',
      '--token-auth-file=tokens.csv',
      '--authentication-token-webhook-config-file=webhook.kubeconfig',
      '--authentication-token-webhook-version=v1',
      '--enable-bootstrap-token-auth',
      '--service-account-issuer=https://accounts.example',
      '--service-account-key-file=sa.pub',
      '--service-account-signing-key-file=sa.key',
      '--store-path=state',
      '--decision-log=decisions.jsonl',
    ],
    end() {
      for (const peer of [...issuers, webhook]) peer.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** People of the static file and of the webhook, and an anonymous request. */
export const fixedQuestions: readonly Question[] = [
  { name: 'admin', token: admin, expected: ['admin [system:masters]'] },
  { name: 'clerk', token: clerk, expected: ['clerk [office]'] },
  { name: 'wanda', token: known, expected: ['wanda [hooked]'] },
  { name: 'stranger', token: 'unknown-token-0123456789', expected: ['401'] },
  // Anonymous requests may not create reviews.
  { name: 'anonymous', expected: ['403'] },
];

/** Returns a person of an issuer. */
export const personOf = async (issuer: Issuer, at: number, name: string): Promise<Question> => ({
  name,
  token: await issuer.token({ sub: name, groups: ['team'] }),
  expected: [`i${at}:${name} [i${at}:team]`],
});

/** Writes to the API as the administrator; returns the status and the body. */
export const call = (way: RequestOptions, method: string, path: string, body?: object) =>
  sendRequest(
    way,
    { token: admin, path },
    { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
  );

/** Creates a namespace and a service account; returns a token of it, valid for an hour. */
export const createAccount = async (way: RequestOptions, name: string): Promise<Question> => {
  await call(way, 'POST', '/api/v1/namespaces', object('Namespace', 'team'));
  const accounts = '/api/v1/namespaces/team/serviceaccounts';
  await call(way, 'POST', accounts, object('ServiceAccount', name));
  const { status, body } = await call(way, 'POST', `${accounts}/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 7200 },
  });
  if (status !== 201) throw new Error(`no token: ${status} ${body}`);
  return {
    name: `account ${name}`,
    token: JSON.parse(body).status.token,
    expected: [
      `system:serviceaccount:team:${name} [system:serviceaccounts system:serviceaccounts:team]`,
    ],
  };
};

/** Creates a bootstrap token; returns its bearer. */
export const createBootstrapToken = async (way: RequestOptions): Promise<Question> => {
  await call(way, 'POST', '/api/v1/namespaces', object('Namespace', 'kube-system'));
  const { status, body } = await call(way, 'POST', '/api/v1/namespaces/kube-system/secrets', {
    ...object('Secret', `bootstrap-token-${bootstrap.id}`),
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': bootstrap.id,
      'token-secret': bootstrap.secret,
      'usage-bootstrap-authentication': 'true',
    },
  });
  if (status !== 201 && status !== 409) throw new Error(`no bootstrap token: ${status} ${body}`);
  return {
    name: 'bootstrap',
    token: `${bootstrap.id}.${bootstrap.secret}`,
    expected: [`system:bootstrap:${bootstrap.id} [system:bootstrappers]`],
  };
};

const object = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name } });

/** G5: returns the secrets found in output. */
export const leaks = (text: string, questions: readonly Question[]): readonly string[] =>
  questions.flatMap(({ name, token }) => {
    if (token === undefined) return [];
    // The signature is the secret part of a signed token.
    const secretPart = token.split('.').at(-1) ?? token;
    return text.includes(secretPart) ? [name] : [];
  });
