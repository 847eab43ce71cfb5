/** The server as a process with a real webhook over mTLS, and without it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { kubeconfigText } from '../support/webhook-client.ts';
import { type WebhookServer, webhookServer } from '../support/webhook-server.ts';

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const clientAuthority = makeCert({ subject: [['CN', 'client authority']], ca: true });
const us = makeCert(
  { subject: [['CN', 'the-server']], eku: ['clientAuth'], notBefore: -3600, notAfter: 86_400 },
  clientAuthority,
);
const aliceToken = 'canary-token-of-alice-0123456789';
const strangerToken = 'canary-token-unknown-0123456789';

const { path: folder, write } = temporaryFolder();
let webhook: WebhookServer;
let server: ChildProcess;
let port = 0;
let output = '';

const start = (args: readonly string[]): ChildProcess => {
  const flags = ['serve', '--bind-address', '127.0.0.1', '--secure-port', String(port), ...args];
  const child = spawn(process.execPath, ['--conditions=source', main, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  return child;
};

const review = (token: string) =>
  sendHttps({
    port,
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    token,
    body: '{}',
  });

const untilItServes = async (): Promise<void> => {
  while (!output.includes(' serves ')) {
    if (server.exitCode !== null) throw new Error(output);
    await once(server.stdout ?? server, 'data');
  }
};

beforeAll(async () => {
  webhook = await webhookServer({
    tls: { requestCert: true, rejectUnauthorized: true, ca: clientAuthority.pem },
    behave: ({ body }) => ({
      body: body.includes(aliceToken)
        ? '{"status":{"authenticated":true,"user":{"username":"alice","uid":"7","groups":["dev"],"extra":{"team":["x"]}}}}'
        : '{"status":{"authenticated":false}}',
    }),
  });
  const user = { 'client-certificate': 'us.pem', 'client-key': 'us.key' };
  const cluster = { 'certificate-authority': 'ca.pem' };
  for (const [name, text] of [
    ['ca.pem', webhook.authority.pem],
    ['us.pem', us.pem],
    ['us.key', us.keyPem],
    ['tokens.csv', 'static-token-of-bob,bob,b1'],
    ['webhook.kubeconfig', kubeconfigText(`${webhook.url}/authenticate`, cluster, user)],
  ] as const) {
    write(name, text);
  }
  port = await freePort();
  server = start([
    '--authentication-token-webhook-config-file',
    'webhook.kubeconfig',
    '--authentication-token-webhook-version',
    'v1',
    '--token-auth-file',
    'tokens.csv',
  ]);
  await untilItServes();
}, 60_000);

afterAll(async () => {
  server.kill('SIGKILL');
  await webhook.close();
});

test('a known user of the webhook is authenticated; it sees our certificate', async () => {
  const { status, body } = await review(aliceToken);
  expect(status).toBe(201);
  expect(JSON.parse(body).status.userInfo).toEqual({
    username: 'alice',
    uid: '7',
    groups: ['dev', 'system:authenticated'],
    extra: { team: ['x'] },
  });
  expect(webhook.seen).toMatchObject([
    { method: 'POST', path: '/authenticate?timeout=30s', commonName: 'the-server' },
  ]);
});

test('an unknown token gets a 401 and is queried once in two minutes', async () => {
  const before = webhook.seen.length;
  for (let round = 0; round < 3; round += 1) {
    expect((await review(strangerToken)).status).toBe(401);
  }
  expect(webhook.seen.length).toBe(before + 1);
});

test('unreachable: cached tokens and those of other modules stay valid, new ones get a 401', async () => {
  await webhook.close();
  expect((await review(aliceToken)).status).toBe(201);
  expect((await review('static-token-of-bob')).status).toBe(201);
  expect((await review('canary-token-of-carol-0123456789')).status).toBe(401);
});

test('INV-S1 the output contains the reason and no token', async () => {
  await vi.waitFor(() => expect(output).toContain('connect: connection refused'), 5_000);
  expect(output).not.toMatch(/canary/);
});

test("an unknown version prevents the start, with kube-apiserver's message", async () => {
  output = '';
  const child = start([
    '--authentication-token-webhook-config-file',
    'webhook.kubeconfig',
    '--authentication-token-webhook-version',
    'v2',
  ]);
  const [code] = await once(child, 'close');
  expect(code).not.toBe(0);
  expect(output).toContain(
    'unsupported authentication webhook version "v2", supported versions are "v1", "v1beta1"',
  );
});
