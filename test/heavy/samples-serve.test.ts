/**
 * Each sample of a module runs with the flags in its comment, and authenticates the expected users.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { testAuthority } from '../support/certificates.ts';
import { authenticatedUser, sendHttps } from '../support/https-request.ts';
import { preparationOf, samples, serveFlagsOf } from '../support/sample-command.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { webhookServer } from '../support/webhook-server.ts';

/** Returns a copy of the sample's folder. */
const folderOf = (sample: string): string => {
  const { path: folder } = temporaryFolder(onTestFinished);
  cpSync(join(samples, sample), folder, { recursive: true });
  return folder;
};

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
};

const started = async (
  folder: string,
  sample: string,
  file = 'authentication.yaml',
): Promise<ServeProcess> => {
  const flags = serveFlagsOf(`${sample}/${file}`);
  const preparation = preparationOf(`${sample}/${file}`);
  if (preparation !== undefined) execFileSync('sh', ['-euc', preparation], { cwd: folder });
  // The test chooses the address to listen on.
  const own = flags.filter(
    (flag, index) =>
      !/^--(?:bind-address|secure-port)$/.test(flag) &&
      !/^--(?:bind-address|secure-port)$/.test(flags[index - 1] ?? ''),
  );
  const server = await serveProcess(folder, own);
  onTestFinished(async () => {
    await server.stop();
    // The secret files have the mode that the server expects.
    expect(server.output()).not.toContain('contains secrets');
  });
  return server;
};

const readPair = (folder: string, name: string) => ({
  pem: readFileSync(join(folder, `${name}.crt`), 'utf8'),
  keyPem: readFileSync(join(folder, `${name}.key`), 'utf8'),
});

const admin = 'administrator-of-this-test';
const adminFile = { 'admin.csv': `${admin},admin,1,system:masters\n` };

/** Writes an object to the store. */
const put = async (port: number, path: string, object: unknown): Promise<unknown> => {
  const { status, body } = await sendHttps({
    port,
    path,
    token: admin,
    body: JSON.stringify(object),
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return JSON.parse(body);
};

const readJson = (sample: string, name: string) =>
  JSON.parse(readFileSync(join(samples, sample, name), 'utf8'));

test('anonymous: opens health checks and nothing else', async () => {
  const { port } = await started(folderOf('anonymous'), 'anonymous', 'health-checks.yaml');
  for (const path of ['/livez', '/readyz', '/healthz']) {
    expect((await sendHttps({ port, path })).status).toBe(200);
  }
  expect(await authenticatedUser({ port })).toBe(401);
});

test('static-token', async () => {
  const { port, output } = await started(folderOf('static-token'), 'static-token');
  expect(await authenticatedUser({ port, token: 'example-token-of-carol' })).toEqual({
    username: 'carol',
    uid: 'u-3',
    groups: ['dev', 'ops', 'system:authenticated'],
  });
  expect(await authenticatedUser({ port, token: 'example-token-of-no-one' })).toBe(401);
  expect(await authenticatedUser({ port })).toBe(401);
  expect(output()).not.toContain('example-token-of');
});

test('client-certificate', async () => {
  const folder = folderOf('client-certificate');
  execFileSync('sh', ['make-certificates.sh'], { cwd: folder, stdio: 'ignore' });
  const { port } = await started(folder, 'client-certificate');
  expect(await authenticatedUser({ port, certificate: readPair(folder, 'alice') })).toMatchObject({
    username: 'alice',
    groups: ['system:authenticated'],
  });
  expect(await authenticatedUser({ port, certificate: readPair(folder, 'bob') })).toMatchObject({
    username: 'bob',
    groups: ['dev', 'ops', 'system:authenticated'],
  });
  expect(
    await authenticatedUser({ port, certificate: makeCert({ subject: [['CN', 'bob']] }) }),
  ).toBe(401);
});

test('authenticating-proxy', async () => {
  const folder = folderOf('authenticating-proxy');
  const authority = makeCert({ subject: [['CN', 'proxies']], ca: true });
  const serving = testAuthority().issue();
  write(folder, {
    'proxy-ca.crt': authority.pem,
    'server.crt': serving.pem,
    'server.key': serving.keyPem,
  });
  const { port } = await started(folder, 'authenticating-proxy');
  const headers = [
    ...['X-Remote-User', 'alice', 'X-Remote-Uid', '7', 'X-Remote-Group', 'dev'],
    ...['X-Remote-Extra-example.com%2fteam', 'x'],
  ];
  const certificate = makeCert({ subject: [['CN', 'front-proxy']] }, authority);
  expect(await authenticatedUser({ port, certificate, headers })).toEqual({
    username: 'alice',
    uid: '7',
    groups: ['dev', 'system:authenticated'],
    extra: { 'example.com/team': ['x'] },
  });
  expect(await authenticatedUser({ port, headers })).toBe(401);
});

test('bootstrap-token', async () => {
  const folder = folderOf('bootstrap-token');
  write(folder, adminFile);
  const { port } = await started(folder, 'bootstrap-token');
  const secret = readJson('bootstrap-token', 'secret.json');
  const expiration = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  await put(port, '/api/v1/namespaces/kube-system/secrets', {
    ...secret,
    stringData: { ...secret.stringData, expiration },
  });
  await vi.waitFor(async () =>
    expect(await authenticatedUser({ port, token: 'abcdef.0123456789abcdef' })).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:worker', 'system:authenticated'],
    }),
  );
  expect(await authenticatedUser({ port, token: 'abcdef.0123456789abcdee' })).toBe(401);
});

const accountKeys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey,
    files: {
      'sa.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'sa.pub': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  };
};

test('service-account-token', async () => {
  const folder = folderOf('service-account-token');
  write(folder, { ...adminFile, ...accountKeys().files });
  const { port } = await started(folder, 'service-account-token');
  await put(port, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team' },
  });
  const accounts = '/api/v1/namespaces/team/serviceaccounts';
  await put(port, accounts, readJson('service-account-token', 'service-account.json'));
  const created = await put(
    port,
    `${accounts}/builder/token`,
    readJson('service-account-token', 'token-request.json'),
  );
  const { status } = created as { readonly status: { readonly token: string } };
  expect(await authenticatedUser({ port, token: status.token })).toMatchObject({
    username: 'system:serviceaccount:team:builder',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated'],
  });
  expect(await authenticatedUser({ port, token: `${status.token.slice(0, -4)}AAAA` })).toBe(401);
});

test('legacy-service-account-token', async () => {
  const folder = folderOf('legacy-service-account-token');
  const keys = accountKeys();
  write(folder, { ...adminFile, ...keys.files });
  const { port } = await started(folder, 'legacy-service-account-token');
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  await put(port, '/api/v1/namespaces', namespace);
  const account = await put(port, '/api/v1/namespaces/team/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'builder' },
  });
  const { uid } = (account as { readonly metadata: { readonly uid: string } }).metadata;
  const encode = (data: unknown): string => Buffer.from(JSON.stringify(data)).toString('base64url');
  const name = 'kubernetes.io/serviceaccount';
  const claims = {
    iss: 'kubernetes/serviceaccount',
    [`${name}/namespace`]: 'team',
    [`${name}/secret.name`]: 'builder-token',
    [`${name}/service-account.name`]: 'builder',
    [`${name}/service-account.uid`]: uid,
    sub: 'system:serviceaccount:team:builder',
  };
  const input = `${encode({ alg: 'RS256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), keys.privateKey).toString('base64url');
  const token = `${input}.${signature}`;
  const secret = readJson('legacy-service-account-token', 'secret.json');
  expect(await authenticatedUser({ port, token })).toBe(401);
  await put(port, '/api/v1/namespaces/team/secrets', {
    ...secret,
    metadata: {
      ...secret.metadata,
      annotations: { ...secret.metadata.annotations, 'kubernetes.io/service-account.uid': uid },
    },
    data: { token: Buffer.from(token).toString('base64') },
  });
  await vi.waitFor(async () =>
    expect(await authenticatedUser({ port, token })).toMatchObject({
      username: 'system:serviceaccount:team:builder',
      uid,
    }),
  );
});

test('webhook-token', async () => {
  const folder = folderOf('webhook-token');
  const authority = makeCert({ subject: [['CN', 'clients']], ca: true });
  const us = makeCert({ subject: [['CN', 'this-server']] }, authority);
  const webhook = await webhookServer({
    tls: { requestCert: true, rejectUnauthorized: true, ca: authority.pem },
    behave: ({ body }) => ({
      body: body.includes('token-of-alice')
        ? '{"apiVersion":"authentication.k8s.io/v1beta1","kind":"TokenReview","status":{"authenticated":true,"user":{"username":"alice"}}}'
        : '{"apiVersion":"authentication.k8s.io/v1beta1","kind":"TokenReview","status":{}}',
    }),
  });
  onTestFinished(() => webhook.close());
  const sample = readFileSync(join(folder, 'webhook.kubeconfig'), 'utf8');
  write(folder, {
    'webhook.kubeconfig': sample.replace('https://tokens.example.com', webhook.url),
    'token-service-ca.pem': webhook.authority.pem,
    'this-server.pem': us.pem,
    'this-server-key.pem': us.keyPem,
  });
  const { port } = await started(folder, 'webhook-token');
  expect(await authenticatedUser({ port, token: 'token-of-alice' })).toMatchObject({
    username: 'alice',
  });
  expect(await authenticatedUser({ port, token: 'token-of-bob' })).toBe(401);
  expect(webhook.seen[0]).toMatchObject({
    path: '/authenticate?timeout=30s',
    commonName: 'this-server',
  });
});

test('webhook-backend', async () => {
  const folder = folderOf('webhook-backend');
  execFileSync('sh', ['make-certificates.sh'], { cwd: folder, stdio: 'ignore' });
  const { port } = await started(folder, 'webhook-backend');
  const authority = readPair(folder, 'authgraph-ca').pem;
  const body = JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 'unknown' },
  });
  const review = (certificate?: { readonly pem: string; readonly keyPem: string }) =>
    sendHttps({
      ...{ port, authority, path: '/authenticate?timeout=30s', body },
      ...(certificate === undefined ? {} : { certificate }),
    });
  const { status, body: answer } = await review(readPair(folder, 'kube-apiserver'));
  expect(status).toBe(200);
  expect(JSON.parse(answer).status).toEqual({ authenticated: false });
  expect((await review()).status).toBe(401);
  expect((await review(makeCert({ subject: [['CN', 'kube-apiserver']] }))).status).toBe(401);
  expect((await sendHttps({ port, authority, path: '/livez' })).status).toBe(200);
});
