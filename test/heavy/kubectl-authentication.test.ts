/**
 * What users of the authentication flags see through a running server: kubectl where a client exists,
 * the log of the server otherwise.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { testAuthority } from '../support/certificates.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import {
  type Ran,
  runProgram,
  runUntil,
  type ServeProcess,
  serveProcess,
} from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { kubeconfigText } from '../support/webhook-client.ts';
import { webhookServer } from '../support/webhook-server.ts';

const { path: folder } = temporaryFolder();
const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const authority = testAuthority('serving');
let kubectl = '';
let server: ServeProcess | undefined;

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return name;
};

beforeAll(() => {
  kubectl = kubectlProgram();
  const serving = authority.issue();
  write('ca.crt', authority.pem);
  write('tls.crt', serving.pem);
  write('tls.key', serving.keyPem);
  write('tokens.csv', 'admin-token,admin,1,system:masters\n');
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  write('sa.key', pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString());
}, kubectlBuildMs);

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const start = async (...flags: readonly string[]): Promise<ServeProcess> => {
  server = await serveProcess(folder, [
    ...[
      '--tls-cert-file=tls.crt',
      '--tls-private-key-file=tls.key',
      '--token-auth-file=tokens.csv',
    ],
    ...flags,
  ]);
  return server;
};

const ask = (token: string, ...args: readonly string[]): Promise<Ran> =>
  runProgram(
    kubectl,
    [
      ...['--kubeconfig=/dev/null', `--server=${server?.url}`, '--certificate-authority=ca.crt'],
      `--token=${token}`,
      ...args,
    ],
    { folder },
  );
const whoami = (token: string): Promise<Ran> => ask(token, 'auth', 'whoami', '-o', 'json');

const configuration = (issuer: string): string => `apiVersion: apiserver.config.platform.io/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example.com
    audiences: [app]
${issuer}  claimMappings:
    username: {claim: sub, prefix: 'oidc:'}
`;

test('a webhook reply in another group is rejected, and the log names both', async () => {
  const webhook = await webhookServer({
    names: ['localhost'],
    behave: ({ body }) => {
      const group = body.includes('good-token') ? 'platform.io' : 'k8s.io';
      const status = { authenticated: true, user: { username: 'hook' } };
      const apiVersion = `authentication.${group}/v1beta1`;
      return { body: JSON.stringify({ apiVersion, kind: 'TokenReview', status }) };
    },
  });
  try {
    write('webhook-ca.crt', webhook.authority.pem);
    write(
      'webhook.kubeconfig',
      kubeconfigText(
        webhook.url,
        { 'certificate-authority': 'webhook-ca.crt', 'tls-server-name': 'localhost' },
        {},
      ),
    );
    const { output } = await start(
      '--authentication-token-webhook-config-file=webhook.kubeconfig',
      '--api-domain=platform.io',
    );
    const good = await whoami('good-token');
    expect(JSON.parse(good.stdout).status.userInfo.username).toBe('hook');
    expect((await whoami('other-token')).stderr).toContain('Unauthorized');
    expect(webhook.seen[0]?.body).toContain('authentication.platform.io/v1beta1');
    await vi.waitFor(() => {
      expect(output()).toContain('the reply has apiVersion');
      expect(output()).toContain('authentication.k8s.io/v1beta1');
      expect(output()).toContain('authentication.platform.io/v1beta1');
    });
  } finally {
    await webhook.close();
  }
});

test('documented spellings are accepted with a warning', async () => {
  const { output } = await start(
    '--oidc-issuer-url=https://127.0.0.1:9',
    '--oidc-client-id=app',
    '--oidc-signing-algs=RSA256',
    '--feature-gates=StructuredAuthenticationconfiguration=true,APISelfSubjectReview=true',
  );
  expect((await whoami('admin-token')).code).toBe(0);
  expect(output()).toContain('RSA256 is accepted as RS256');
  expect(output()).toContain('is accepted as StructuredAuthenticationConfiguration');
  expect(output()).toContain('APISelfSubjectReview has no effect');
});

test('an egress selector is rejected at the start and on reload', async () => {
  const lookup = 'oidc: egress lookup required with egress selector type';
  const selecting = configuration('    egressSelectorType: cluster\n');
  const file = write('authentication.yaml', selecting);
  const flags = ['--authentication-config', file];
  const refused = await runProgram(
    process.execPath,
    ['--conditions=source', main, 'serve', ...flags],
    { folder },
  );
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(lookup);
  write(file, configuration(''));
  const { output } = await start(...flags);
  write(file, selecting);
  await vi.waitFor(() => expect(output()).toContain(lookup), { timeout: 20_000, interval: 200 });
  expect(output()).toContain('not reloaded');
  expect((await whoami('admin-token')).code).toBe(0);
});

test('a certificate authority without the CA flag is reported at the start', async () => {
  const flagless = makeCert({ subject: [['CN', 'issuer-root']], ca: false });
  const file = write(
    'flagless.yaml',
    configuration(`    certificateAuthority: ${JSON.stringify(flagless.pem)}\n`),
  );
  const { output } = await start('--authentication-config', file);
  // Quotes of the message are escaped in a line of JSON.
  expect(output()).toMatch(/AG4022.*\\"issuer-root\\" .* has no CA flag/);
  const check = await runProgram(process.execPath, ['--conditions=source', main, 'check', file], {
    folder,
  });
  expect(check.stderr + check.stdout).toContain('has no CA flag');
});

test('without a store flag objects are in memory, and nothing is written', async () => {
  const before = readdirSync(folder);
  const { output } = await start(
    '--service-account-issuer=https://issuer.test',
    '--service-account-key-file=sa.key',
    '--service-account-signing-key-file=sa.key',
  );
  expect(output()).toContain('objects are stored in memory and are lost when the server stops');
  expect((await ask('admin-token', 'create', 'serviceaccount', 'bot')).code).toBe(0);
  const { stdout } = await ask('admin-token', 'create', 'token', 'bot');
  const account = await whoami(stdout.trim());
  expect(JSON.parse(account.stdout).status.userInfo.username).toBe(
    'system:serviceaccount:default:bot',
  );
  await server?.stop();
  // kubectl keeps its own cache there.
  expect(readdirSync(folder).filter((name) => name !== '.kube')).toEqual(before);
  await start(
    '--service-account-issuer=https://issuer.test',
    '--service-account-key-file=sa.key',
    '--service-account-signing-key-file=sa.key',
  );
  expect((await ask('admin-token', 'get', 'serviceaccount', 'bot')).stderr).toContain('NotFound');
});

test('a webhook kubeconfig without a context stops the start, with file and field', async () => {
  write('empty.kubeconfig', 'apiVersion: v1\nkind: Config\n');
  const printed = await runUntil(
    process.execPath,
    [
      ...['--conditions=source', main, 'serve'],
      '--authentication-token-webhook-config-file=empty.kubeconfig',
    ],
    { folder, fits: /current-context/ },
  );
  expect(printed).toContain('empty.kubeconfig: current-context is missing');
});
