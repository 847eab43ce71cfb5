/** Details of kinds and request formats that the recorded responses do not cover. */
import { expect, test } from 'vitest';
import { forbiddenObject } from '../../../engine/src/server/api/object-errors.ts';
import { objectTarget } from '../../../engine/src/server/api/target.ts';
import { objectApi } from '../../support/object-api.ts';

const rbac = (domain: string): string => `/apis/rbac.authorization.${domain}/v1`;

test('a role is written in one domain and read in both', async () => {
  const api = await objectApi();
  const made = await api.ask('POST', `${rbac('platform.io')}/clusterroles`, {
    body: {
      apiVersion: 'rbac.authorization.platform.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules: [
        {
          apiGroups: ['authentication.platform.io', 'own.example'],
          resources: ['uids'],
          verbs: ['impersonate'],
        },
      ],
    },
  });
  expect(made.status).toBe(201);
  const inBoth = await Promise.all(
    ['platform.io', 'k8s.io'].map((domain) => api.ask('GET', `${rbac(domain)}/clusterroles/r`)),
  );
  expect(inBoth.map(({ body }) => [body.apiVersion, body.rules[0].apiGroups])).toEqual([
    ['rbac.authorization.platform.io/v1', ['authentication.platform.io', 'own.example']],
    ['rbac.authorization.k8s.io/v1', ['authentication.k8s.io', 'own.example']],
  ]);
  const key = { resource: 'clusterroles', namespace: '', name: 'r' };
  expect((await api.store.get(key))?.object.get('apiVersion')).toBe('rbac.authorization.k8s.io/v1');
});

test('errors use the domain of the request', async () => {
  const api = await objectApi();
  const { status, body } = await api.ask('POST', `${rbac('platform.io')}/clusterroles`, {
    body: { metadata: { name: 'r' }, rules: [{}] },
  });
  expect(status).toBe(422);
  expect(body.details.group).toBe('rbac.authorization.platform.io');
  expect(body.message).toContain('ClusterRole.rbac.authorization.platform.io "r" is invalid');
});

test('errors name all groups in the domain of the request', async () => {
  const message = 'APIGroups:["authentication.k8s.io" "my-authentication.k8s.io" "k8s.io"]';
  const api = await objectApi({
    grantProblem: async () => ({ code: 403, reason: 'Forbidden', message }),
  });
  const asked = (domain: string) =>
    api.ask('POST', `${rbac(domain)}/clusterroles`, { body: { metadata: { name: 'r' } } });
  expect((await asked('platform.io')).body.message).toBe(
    'APIGroups:["authentication.platform.io" "my-authentication.k8s.io" "k8s.io"]',
  );
  expect((await asked('k8s.io')).body.message).toBe(message);
});

test('escalation is rejected before the role is validated', async () => {
  const asked: unknown[] = [];
  const target = objectTarget(`${rbac('k8s.io')}/clusterroles`);
  if (target === undefined) throw new Error('no target');
  const api = await objectApi({
    grantProblem: async ({ resource, name }) => {
      asked.push([resource, name]);
      return forbiddenObject(target, 'r', 'too much');
    },
  });
  const body = { metadata: { name: 'r' }, rules: [{}] };
  const made = await api.ask('POST', `${rbac('k8s.io')}/clusterroles`, { body });
  expect([made.status, made.body.message]).toEqual([
    403,
    'clusterroles.rbac.authorization.k8s.io "r" is forbidden: too much',
  ]);
  await api.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'other' } } });
  expect(asked).toEqual([['clusterroles', '']]);
});

test('escalation is checked before the name is generated', async () => {
  const names: unknown[] = [];
  const api = await objectApi({
    grantProblem: async ({ object }) => {
      const metadata = object.get('metadata');
      names.push(metadata instanceof Map ? metadata.get('name') : metadata);
      return undefined;
    },
  });
  const body = { metadata: { generateName: 'r-' }, rules: [] };
  const made = await api.ask('POST', `${rbac('k8s.io')}/clusterroles`, { body });
  expect(made.status).toBe(201);
  expect(made.body.metadata.name).toMatch(/^r-.{5}$/);
  expect(names).toEqual([undefined]);
});

test('a deleted namespace is marked', async () => {
  const api = await objectApi();
  await api.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'team' } } });
  const { status, body } = await api.ask('DELETE', '/api/v1/namespaces/team');
  expect([status, body.kind, body.status.phase]).toEqual([200, 'Namespace', 'Terminating']);
  expect(body.metadata.deletionTimestamp).toEqual(expect.any(String));
  const again = await api.ask('DELETE', '/api/v1/namespaces/team');
  expect([again.status, again.body.metadata.deletionTimestamp]).toEqual([
    200,
    body.metadata.deletionTimestamp,
  ]);
});

test('a terminating namespace rejects new objects', async () => {
  const api = await objectApi();
  const key = { resource: 'namespaces', namespace: '', name: 'gone' };
  const status = new Map([['phase', 'Terminating']]);
  const metadata = new Map([['name', 'gone']]);
  await api.store.create(
    key,
    new Map([
      ['metadata', metadata],
      ['status', status],
    ]),
  );
  const { status: code, body } = await api.ask('POST', '/api/v1/namespaces/gone/serviceaccounts', {
    body: { metadata: { name: 'x' } },
  });
  expect(code).toBe(403);
  expect(body.message).toBe(
    'serviceaccounts "x" is forbidden: unable to create new content in namespace gone because it is being terminated',
  );
  expect(body.details.causes).toEqual([
    {
      reason: 'NamespaceTerminating',
      message: 'namespace gone is being terminated',
      field: 'metadata.namespace',
    },
  ]);
});

test('rejects a Secret with an unsupported type and lists the supported ones', async () => {
  const api = await objectApi();
  const { status, body } = await api.ask('POST', '/api/v1/namespaces/default/secrets', {
    body: { metadata: { name: 's' }, type: 'Opaque', data: { a: 'Yg==' } },
  });
  expect([status, body.details.causes[0].field]).toEqual([422, 'type']);
});

test('a pod keeps its service account and node', async () => {
  const api = await objectApi();
  const pods = '/api/v1/namespaces/default/pods';
  const pod = { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c' }] } };
  expect((await api.ask('POST', pods, { body: pod })).status).toBe(403);
  await api.ask('POST', '/api/v1/namespaces/default/serviceaccounts', {
    body: { metadata: { name: 'default' } },
  });
  const made = await api.ask('POST', pods, { body: pod });
  expect(made.status).toBe(201);
  expect(made.body.spec).toMatchObject({ nodeName: 'n', serviceAccountName: 'default' });
  const moved = await api.ask('PATCH', `${pods}/p`, {
    headers: ['Content-Type: application/merge-patch+json'],
    body: { spec: { nodeName: 'other' } },
  });
  expect([moved.status, moved.body.details.causes.at(-1).field]).toEqual([422, 'spec.nodeName']);
  const found = await api.ask('GET', `${pods}?fieldSelector=spec.nodeName%3Dn`);
  expect(found.body.items).toHaveLength(1);
});

test('decodes a protobuf body, with bytes and flags', async () => {
  const api = await objectApi();
  const text = (field: number, value: string): number[] => bytes(field, [...Buffer.from(value)]);
  const bytes = (field: number, value: readonly number[]): number[] => [
    field * 8 + 2,
    value.length,
    ...value,
  ];
  const object = [
    ...bytes(1, text(1, 's')),
    ...bytes(2, [...text(1, 'token-id'), ...text(2, 'abcdef')]),
    ...text(3, 'bootstrap.kubernetes.io/token'),
    5 * 8,
    0,
  ];
  const envelope = [...bytes(1, [...text(1, 'v1'), ...text(2, 'Secret')]), ...bytes(2, object)];
  const { status, body } = await api.ask('POST', '/api/v1/namespaces/default/secrets', {
    headers: ['Content-Type: application/vnd.kubernetes.protobuf'],
    body: Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]),
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ immutable: false, data: { 'token-id': 'YWJjZGVm' } });
});

test('returns all groups and resources at once with aggregated discovery', async () => {
  const api = await objectApi();
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const core = await api.ask('GET', '/api', { headers: [`Accept: ${type},application/json`] });
  expect(core.headers.get('content-type')).toBe(type);
  const [{ versions }] = core.body.items;
  expect(versions[0].resources.map(({ resource }: { resource: string }) => resource)).toEqual([
    'namespaces',
    'nodes',
    'pods',
    'secrets',
    'serviceaccounts',
  ]);
  const groups = await api.ask('GET', '/apis', { headers: [`Accept: ${type}`] });
  expect(
    groups.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
  ).toEqual([
    'authentication.platform.io',
    'authentication.k8s.io',
    'rbac.authorization.k8s.io',
    'rbac.authorization.platform.io',
  ]);
});

test('resources have the hashes that clients know', async () => {
  const api = await objectApi();
  const { body } = await api.ask('GET', '/api/v1');
  const hashes = new Map(
    body.resources.map((row: { name: string; storageVersionHash?: string }) => [
      row.name,
      row.storageVersionHash,
    ]),
  );
  expect([hashes.get('pods'), hashes.get('serviceaccounts')]).toEqual([
    'xPOwRZ+Yhw8=',
    'pbx9ZvyFpBE=',
  ]);
});

test('schemas contain the parameters that clients check before they write', async () => {
  const api = await objectApi();
  const index = await api.ask('GET', '/openapi/v3');
  const paths: Record<string, { serverRelativeURL: string }> = index.body.paths;
  for (const { serverRelativeURL } of Object.values(paths)) {
    expect((await api.ask('GET', serverRelativeURL)).status).toBe(200);
  }
  const core = await api.ask('GET', '/openapi/v3/api/v1');
  const patch = core.body.paths['/api/v1/namespaces/{namespace}/serviceaccounts/{name}'].patch;
  expect(patch['x-kubernetes-group-version-kind'].kind).toBe('ServiceAccount');
  expect(patch.parameters.map(({ name }: { name: string }) => name)).toContain('fieldValidation');
});

test('invalid owner references keep the stored ones', async () => {
  const api = await objectApi();
  const secrets = '/api/v1/namespaces/default/secrets';
  const secret = (metadata: object, more: object = {}) => ({
    metadata: { name: 'fb', ...metadata },
    type: 'bootstrap.kubernetes.io/token',
    ...more,
  });
  await api.ask('POST', secrets, { body: secret({ annotations: { n: 'v' } }) });
  const put = async (managedFields: readonly object[]) => {
    const body = secret({ annotations: { 'a.b/c': 'x' }, managedFields }, { data: { a: 'eg==' } });
    const asked = await api.ask('PUT', `${secrets}/fb`, { body });
    return asked.body.metadata.managedFields?.map(
      ({ fieldsV1 }: { readonly fieldsV1: unknown }) => fieldsV1,
    );
  };
  // As in kube-apiserver 1.36.3.
  const owned = {
    'f:data': { '.': {}, 'f:a': {} },
    'f:metadata': { 'f:annotations': { '.': {}, 'f:a.b/c': {} } },
    'f:type': {},
  };
  expect(await put([{ manager: 'x' }])).toEqual([owned]);
  expect(await put([{ manager: 'x', operation: 'Update', apiVersion: 'v1' }])).toEqual([owned]);
  expect(await put([])).toEqual([owned]);
  expect(await put([{}])).toBeUndefined();
});
