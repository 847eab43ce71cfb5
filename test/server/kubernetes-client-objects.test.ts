/**
 * The typed clients of @kubernetes/client-node write, read and watch the stored kinds, and request
 * tokens.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AuthenticationV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testAuthority } from '../support/certificates.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder } = temporaryFolder();
let server: ServeProcess;
const authority = testAuthority();

beforeAll(async () => {
  const serving = authority.issue();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const [name, text] of [
    ['tls.crt', serving.pem],
    ['tls.key', serving.keyPem],
    ['sa.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString()],
    ['tokens.csv', 'root,admin,1,system:masters\nsue,sue,2\n'],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  server = await serveProcess(folder, [
    ...['--tls-cert-file=tls.crt', '--tls-private-key-file=tls.key', '--store=memory'],
    ...['--token-auth-file=tokens.csv', '--service-account-issuer=https://issuer.example'],
    ...['--service-account-key-file=sa.key', '--service-account-signing-key-file=sa.key'],
  ]);
}, 60_000);

afterAll(async () => {
  await server?.stop();
});

const configOf = (token: string): KubeConfig => {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      { name: 'here', server: server.url, caData: Buffer.from(authority.pem).toString('base64') },
    ],
    users: [{ name: 'someone', token }],
    contexts: [{ name: 'here', cluster: 'here', user: 'someone' }],
    currentContext: 'here',
  });
  return config;
};

test('writes and reads objects, and gets conflicts', async () => {
  const core = configOf('root').makeApiClient(CoreV1Api);
  const namespace = 'objects';
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  const made = await core.createNamespacedServiceAccount({
    namespace,
    body: { metadata: { name: 'app', labels: { stage: 'one' } } },
  });
  expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const list = await core.listNamespacedServiceAccount({ namespace, labelSelector: 'stage=one' });
  expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['app']);
  const patched = await core.patchNamespacedServiceAccount(
    { namespace, name: 'app', body: { metadata: { labels: { stage: 'two' } } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  expect(patched.metadata?.labels).toEqual({ stage: 'two' });
  const stale = core.replaceNamespacedServiceAccount({ namespace, name: 'app', body: made });
  await expect(stale).rejects.toMatchObject({ code: 409 });
  await core.deleteNamespacedServiceAccount({ namespace, name: 'app' });
  const gone = core.readNamespacedServiceAccount({ namespace, name: 'app' });
  await expect(gone).rejects.toMatchObject({ code: 404 });
});

test("creates a service account token, which has the account's identity and permissions", async () => {
  const config = configOf('root');
  const core = config.makeApiClient(CoreV1Api);
  const roles = config.makeApiClient(RbacAuthorizationV1Api);
  const namespace = 'tokens';
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'bot' } } });
  const request = await core.createNamespacedServiceAccountToken({
    namespace,
    name: 'bot',
    body: { spec: { audiences: [], expirationSeconds: 900 } },
  });
  const token = request.status?.token ?? '';
  const name = `system:serviceaccount:${namespace}:bot`;

  const reviewed = await config.makeApiClient(AuthenticationV1Api).createTokenReview({
    body: { spec: { token } },
  });
  expect(reviewed.status).toMatchObject({ authenticated: true, user: { username: name } });
  const bot = configOf(token);
  const self = await bot.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} });
  expect(self.status?.userInfo?.username).toBe(name);

  const look = () => bot.makeApiClient(CoreV1Api).listNamespacedServiceAccount({ namespace });
  await expect(look()).rejects.toMatchObject({ code: 403 });
  await roles.createNamespacedRole({
    namespace,
    body: {
      metadata: { name: 'look' },
      rules: [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['list'] }],
    },
  });
  await roles.createNamespacedRoleBinding({
    namespace,
    body: {
      metadata: { name: 'look' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'look' },
      subjects: [{ kind: 'ServiceAccount', name: 'bot', namespace }],
    },
  });
  await vi.waitFor(async () => {
    const { items } = await look();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('bot');
  });
  // The same request of the same caller, which must not reuse its last decision.
  await roles.deleteNamespacedRoleBinding({ namespace, name: 'look' });
  await vi.waitFor(() => expect(look()).rejects.toMatchObject({ code: 403 }));
  const grant = configOf('sue')
    .makeApiClient(RbacAuthorizationV1Api)
    .createNamespacedRole({
      namespace,
      body: { metadata: { name: 'x' }, rules: [] },
    });
  await expect(grant).rejects.toMatchObject({ code: 403 });
});

test('an informer sees existing objects, additions, changes and deletions', async () => {
  const config = configOf('root');
  const core = config.makeApiClient(CoreV1Api);
  const namespace = 'watched';
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'old' } } });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/serviceaccounts`, () =>
    core.listNamespacedServiceAccount({ namespace }),
  );
  const seen: string[] = [];
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, ({ metadata }) => seen.push(`${event} ${metadata?.name}`));
  }
  await informer.start();
  try {
    await vi.waitFor(() => expect(seen).toContain('add old'));
    await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'new' } } });
    await vi.waitFor(() => expect(seen).toContain('add new'));
    await core.patchNamespacedServiceAccount(
      { namespace, name: 'new', body: { metadata: { labels: { a: 'b' } } } },
      setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
    );
    await vi.waitFor(() => expect(seen).toContain('update new'));
    await core.deleteNamespacedServiceAccount({ namespace, name: 'new' });
    await vi.waitFor(() => expect(seen).toContain('delete new'));
  } finally {
    await informer.stop();
  }
});
