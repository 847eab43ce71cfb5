/** `authgraph serve --workers 2` as a user runs it: its answers, its workers, and their end. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type SigningKey,
} from '../../engine/src/node/mint.ts';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import { sendHttps } from '../support/https-request.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
const certificate = createSelfSigned({ hosts: ['127.0.0.1'], now: Date.now() });
const documents: string[] = [];
let issuer: Server;
let issuerUrl: string;
let signingKey: SigningKey;
let server: ServeProcess;

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${issuerUrl}
    audiences: [app]
    certificateAuthority: |
${certificate.authorityPem.replaceAll(/^(?=.)/gm, '      ')}
  claimMappings:
    username: {claim: sub, prefix: '${prefix}'}
`;

beforeAll(async () => {
  signingKey = await createSigningKey('ES256', 'one');
  issuer = createServer({ cert: certificate.certificatePem, key: certificate.privateKeyPem });
  issuer.on('request', ({ url = '' }, response) => {
    documents.push(url);
    response.setHeader('content-type', 'application/json');
    const discovery = { issuer: issuerUrl, jwks_uri: `${issuerUrl}/keys` };
    response.end(JSON.stringify(url === '/keys' ? keySetOf([signingKey]) : discovery));
  });
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  issuerUrl = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  write('auth.yaml', configuration('i:'));
  write('tokens.csv', 'admin,admin,1,"system:masters"\n');
  server = await serveProcess(folder, [
    ...['-c', 'auth.yaml', '--token-auth-file=tokens.csv', '--workers=2'],
    ...['--enable-bootstrap-token-auth', '--decision-log=decisions.jsonl', '--logging-format=json'],
  ]);
}, 120_000);
afterAll(async () => {
  await server.stop();
  issuer.close();
});

const token = (): Promise<string> =>
  mintToken(
    { iss: issuerUrl, aud: 'app', sub: 'jane', exp: Math.floor(Date.now() / 1000) + 600 },
    signingKey,
  );

/** Sends each request on a connection of its own, and connections alternate between the workers. */
const send = (path: string, body?: unknown, bearer = 'admin', method?: string) =>
  sendHttps({
    port: server.port,
    path,
    token: bearer,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(method === undefined ? {} : { method }),
  });

const whoami = async (bearer: string): Promise<string> => {
  const { status, body } = await send(
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    bearer,
  );
  return status === 201 ? JSON.parse(body).status.userInfo.username : String(status);
};

const everywhere = <T>(request: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: 6 }, request));

const workersOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .flatMap((text) => Number(text) || []);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits up to ten seconds, which a loaded machine needs to start a worker. */
const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isTrue()) return;
    await pause(50);
  }
  throw new Error(`not in time:\n${server.output()}`);
};

test('all workers accept a token, and the issuer is asked once', async () => {
  const bearer = await token();
  // A worker rejects tokens until it has the documents of the issuer.
  await expect
    .poll(async () => new Set(await everywhere(() => whoami(bearer))), { timeout: 15_000 })
    .toEqual(new Set(['i:jane']));
  expect(documents.toSorted()).toEqual(['/.well-known/openid-configuration', '/keys']);
});

const bootstrapSecret = (id: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
  },
});

test('a write through one worker counts in all of them once it is acknowledged', async () => {
  const secrets = '/api/v1/namespaces/kube-system/secrets';
  for (let number = 0; number < 10; number += 1) {
    const id = `abcde${number}`;
    const bearer = `${id}.0123456789abcdef`;
    expect((await send(secrets, bootstrapSecret(id))).status).toBe(201);
    const accepted = await everywhere(() => whoami(bearer));
    expect(new Set(accepted)).toEqual(new Set([`system:bootstrap:${id}`]));
    // This one is deleted before its first use, since decisions are cached.
    const other = `fghij${number}`;
    expect((await send(secrets, bootstrapSecret(other))).status).toBe(201);
    const path = `${secrets}/bootstrap-token-${other}`;
    expect((await send(path, undefined, 'admin', 'DELETE')).status).toBe(200);
    const rejected = await everywhere(() => whoami(`${other}.0123456789abcdef`));
    expect(new Set(rejected)).toEqual(new Set(['401']));
  }
});

test('a list can be continued through another worker', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=9';
  const names: string[] = [];
  let continuation = '';
  do {
    const { status, body } = await send(`${path}&continue=${continuation}`);
    expect(status, body).toBe(200);
    const page = JSON.parse(body);
    names.push(...page.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    continuation = page.metadata.continue ?? '';
    // A write between two pages, so that only the list of the first page is consistent.
    await send('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { generateName: 'a-' },
    });
  } while (continuation !== '');
  const whole = JSON.parse((await send('/apis/rbac.authorization.k8s.io/v1/clusterroles')).body);
  expect(names).toHaveLength(whole.items.length);
});

test('a changed configuration is used by all workers', async () => {
  write('auth.yaml', configuration('j:'));
  const bearer = await token();
  await until(async () => (await whoami(bearer)) === 'j:jane');
  await pause(500);
  expect(new Set(await everywhere(() => whoami(bearer)))).toEqual(new Set(['j:jane']));
  const { body } = await send('/metrics');
  expect(body).toMatch(/automatic_reloads_total\{status="success",[^}]*\} 1\n/);
});

const attempts = async (): Promise<number> => {
  const { body } = await send('/metrics');
  return Number(/^authentication_attempts\{result="success"\} (\d+)$/m.exec(body)?.[1]);
};

test('metrics and decisions are those of all workers', async () => {
  const before = await attempts();
  for (let count = 0; count < 10; count += 1) await whoami('admin');
  expect(await attempts()).toBe(before + 11);
  const lines = readFileSync(`${folder}/decisions.jsonl`, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(before + 10);
  for (const line of lines) JSON.parse(line);
});

const openConnection = async (): Promise<TLSSocket> => {
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
};

test('a worker that ends is started again, and the other one continues', async () => {
  // The file is invalid: the new worker starts with the configuration in service.
  write('auth.yaml', 'kind: Nothing\n');
  await until(() => server.output().includes('not reloaded'));
  const before = await attempts();
  const workers = workersOf(server.pid);
  expect(workers).toHaveLength(2);
  const connections = await Promise.all(Array.from({ length: 4 }, openConnection));
  const closed = () => connections.filter((socket) => socket.closed).length;
  process.kill(Number(workers[0]), 'SIGKILL');
  await until(() => server.output().includes('worker ended unexpectedly'));
  await until(() => closed() > 0);
  // Half of the connections belong to the other worker.
  expect(closed()).toBe(2);
  const bearer = await token();
  for (let count = 0; count < 20; count += 1) expect(await whoami(bearer)).toBe('j:jane');
  await until(() => server.output().includes('worker restarted'));
  expect(new Set(await everywhere(() => whoami(bearer)))).toEqual(new Set(['j:jane']));
  expect(await attempts()).toBeGreaterThanOrEqual(before + 26);
  expect(workersOf(server.pid)).toHaveLength(2);
});

test('the log is one stream of whole lines', () => {
  const lines = server.output().trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  const count = (message: string): number =>
    events.filter((event) => event.message === message).length;
  expect(count('bootstrap roles written')).toBe(1);
  expect(events.some(({ worker }) => worker === 2)).toBe(true);
});

test('requests in progress are completed at the end, and no process stays', async () => {
  const one = await serveProcess(folder, [
    ...['--anonymous-auth=true', '--token-auth-file=tokens.csv', '--workers=2'],
  ]);
  const workers = workersOf(one.pid);
  const ended = one.stop();
  await ended;
  expect([one.pid, ...workers].filter(isRunning)).toEqual([]);
  expect(one.output()).toContain('requestsCutOff":0');
});

test('workers do not outlive the primary process', async () => {
  const one = await serveProcess(folder, [
    ...['--anonymous-auth=true', '--token-auth-file=tokens.csv', '--workers=2'],
  ]);
  const workers = workersOf(one.pid);
  expect(workers).toHaveLength(2);
  process.kill(one.pid, 'SIGKILL');
  await until(() => !workers.some(isRunning));
});
