/**
 * F-19: a change leaves nothing behind. Each turn changes the configuration, and creates and deletes
 * a service account, a Secret of it and a bootstrap token.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf } from './parts/ask.ts';
import {
  call,
  configurationText,
  createAccount,
  createBootstrapToken,
  createEnvironment,
  issuerEntry,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report } from './parts/form.ts';
import { type Served, serve } from './parts/served.ts';

let environment: TestEnvironment;
let server: Served;

beforeAll(async () => {
  environment = await createEnvironment();
  server = await serve({ folder: environment.folder, args: environment.args });
  await createAccount(server, 'robot');
}, 120_000);
afterAll(async () => {
  await server.stop();
  environment.end();
});

const team = '/api/v1/namespaces/team';
const system = '/api/v1/namespaces/kube-system';
const tokenSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'of-guest', annotations: { 'kubernetes.io/service-account.name': 'guest' } },
  type: 'kubernetes.io/service-account-token',
};

const change = async (turn: number): Promise<void> => {
  const entries = environment.issuers.map(({ url }, at) =>
    issuerEntry(url, environment.authority.pem, `i${at}:`),
  );
  environment.replace('authentication.yaml', `# ${turn}\n${configurationText(entries)}`);
  const account = await createAccount(server, 'guest');
  const bootstrap = await createBootstrapToken(server);
  const { status } = await call(server, 'POST', `${team}/secrets`, tokenSecret);
  expect(status).toBe(201);
  for (const { token, expected } of [account, bootstrap])
    expect(expected).toContain(await identityOf(server, token));
  // The Secret is deleted together with its service account.
  await call(server, 'DELETE', `${team}/serviceaccounts/guest`);
  await call(server, 'DELETE', `${system}/secrets/bootstrap-token-abcdef`);
  await expect
    .poll(async () => (await call(server, 'GET', `${team}/secrets/of-guest`)).status, {
      timeout: 10_000,
    })
    .toBe(404);
};

test('F-19 changes of the configuration and of objects retain no promise', async () => {
  const first = 10;
  const turns = byRunLength(40, 1_000);
  for (let turn = 0; turn < first; turn += 1) await change(turn);
  const before = await server.vitals({ promises: true });
  for (let turn = 0; turn < turns; turn += 1) await change(first + turn);
  const after = await server.vitals({ promises: true });
  report('F-19 retained', { turns, promises: [before.promises, after.promises] });
  expect(after.promises - before.promises).toBeLessThan(turns / 2);
}, 3_600_000);
