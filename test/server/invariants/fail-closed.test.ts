/** Rows of the table in SECURITY.md with whole servers: a failure never authenticates anyone. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCert } from '../../attacks/lib/der.mjs';
import { wholeServer } from '../../support/whole-server.ts';

type Server = Awaited<ReturnType<typeof wholeServer>>;

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const start = async (...options: Parameters<typeof wholeServer>): Promise<Server> => {
  const server = await wholeServer(...options);
  onTestFinished(() => server.close());
  return server;
};

const asked = { method: 'POST', path: review, body: '{}' };
const as = (token: string) => ['Authorization', `Bearer ${token}`];
const statusFor = async (server: Server, token: string): Promise<number> =>
  (await server.ask({ ...asked, headers: as(token) })).status;
const sampleOf = async (server: Server, start: string): Promise<number> => {
  const { body } = await server.ask({ path: '/metrics', headers: as(server.tokens.admin) });
  const line = body.split('\n').find((text) => text.startsWith(start));
  return Number(line?.split(' ').at(-1) ?? 0);
};

test('an authority file that is emptied, broken or removed changes no decision', async () => {
  const server = await start();
  const file = join(server.folder, 'client-ca.pem');
  const good = readFileSync(file, 'utf8');
  const carol = server.certificates.client;
  const stranger = makeCert({
    subject: [
      ['O', 'system:masters'],
      ['CN', 'carol'],
    ],
  });
  const failures = () =>
    sampleOf(
      server,
      'authgraph_certificate_authority_reloads_total{pool="client-ca-bundle",status="failure"',
    );
  let before = await failures();
  for (const damage of [
    () => writeFileSync(file, ''),
    () => writeFileSync(file, good.slice(0, good.length / 2)),
    () => writeFileSync(file, `${stranger.pem.slice(0, -40)}\n`),
    () => rmSync(file),
  ]) {
    damage();
    await vi.waitFor(async () => expect(await failures()).toBeGreaterThan(before), 10_000);
    before = await failures();
    expect((await server.ask({ ...asked, certificate: carol })).status).toBe(201);
    expect((await server.ask({ ...asked, certificate: stranger })).status).toBe(401);
    expect(server.output()).toContain('certificate authorities not reloaded');
  }
}, 60_000);

test('tokens that need an unreachable store get a 401', async () => {
  const nowhere = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 'x' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  const good = await start();
  const kubeconfig = join(good.folder, 'store.kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(nowhere), { mode: 0o600 });
  // A token that is valid while its account can be looked up.
  const made = await good.ask({
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts/default/token',
    headers: as(good.tokens.admin),
    body: '{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{}}',
  });
  expect(made.status).toBe(201);
  const account = JSON.parse(made.body).status.token;
  expect(await statusFor(good, account)).toBe(201);
  const server = await start({
    untilReady: false,
    flags: [
      ...['--store=kubernetes', `--store-kubeconfig=${kubeconfig}`, '--store-path='],
      `--service-account-key-file=${join(good.folder, 'accounts.key')}`,
    ],
  });
  expect(await statusFor(server, account)).toBe(401);
  expect(await statusFor(server, server.tokens.bootstrap)).toBe(401);
  // Identities that need no store are known. Without roles, they have no permissions.
  expect(await statusFor(server, server.tokens.admin)).toBe(201);
  expect(await statusFor(server, server.tokens.static)).toBe(500);
  expect((await server.ask({ path: '/version', headers: as(server.tokens.static) })).status).toBe(
    500,
  );
  // No roles were ever known, so only administrators can read health.
  expect((await server.ask({ path: '/livez' })).status).toBe(500);
  expect((await server.ask({ path: '/livez', headers: as(server.tokens.admin) })).status).toBe(200);
  const ready = await server.ask({ path: '/readyz?verbose', headers: as(server.tokens.admin) });
  expect(ready.status).toBe(500);
  expect(ready.body).toContain('[-]informer-sync failed');
}, 60_000);

test('a decision log without a reader blocks no request', async () => {
  const server = await start({ flags: ['--decision-log=-', '--log-level=error'] });
  server.stopReading();
  const groups = Array.from({ length: 1_200 }, (_, index) => `${index}-${'g'.repeat(100)}`);
  const token = await server.tokens.jwt({ groups });
  const dropped = () => sampleOf(server, 'authgraph_decision_log_dropped_total');
  let sent = 0;
  while ((await dropped()) === 0) {
    expect(sent).toBeLessThan(600);
    const some = Array.from({ length: 20 }, () => statusFor(server, token));
    expect(new Set(await Promise.all(some))).toEqual(new Set([201]));
    sent += some.length;
    // A rejected token stays rejected while the log is full.
    expect(await statusFor(server, `${token}x`)).toBe(401);
  }
  expect(await statusFor(server, server.tokens.static)).toBe(201);
  expect(await statusFor(server, 'x')).toBe(401);
}, 60_000);
