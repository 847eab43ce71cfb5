/** Deletion in a store that is a cluster, which marks, waits and collects itself. */
import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../engine/src/ports/store.ts';
import { type Asked, type ObjectApi, objectApi } from '../../support/object-api.ts';

const namespaces = '/api/v1/namespaces';
const team = `${namespaces}/deletions`;
const accounts = `${team}/serviceaccounts`;
const pods = `${team}/pods`;
const merging = { headers: ['Content-Type: application/merge-patch+json'] };

/** Runs the same tests for the cluster of the tests and for a real one. */
export const clusterDeletions = (open: () => Promise<Store>): void => {
  let api: ObjectApi;
  const make = async (path: string, name: string, more: object = {}): Promise<Asked> => {
    const { metadata, ...rest } = { metadata: {}, ...more };
    const made = await api.ask('POST', path, {
      body: { metadata: { ...metadata, name }, ...rest },
    });
    expect([name, made.status]).toEqual([name, 201]);
    return made;
  };
  const remove = (path: string, options?: object): Promise<Asked> =>
    api.ask('DELETE', path, options === undefined ? {} : { body: options });
  const statusOf = async (path: string): Promise<number> => (await api.ask('GET', path)).status;
  beforeEach(async () => {
    api = await objectApi({ store: await open() });
    if ((await statusOf(team)) === 200) return;
    await make(namespaces, 'deletions');
    await make(accounts, 'default');
  });

  test('a namespace becomes terminating', async () => {
    await make(namespaces, 'leaving');
    const { status, body } = await remove(`${namespaces}/leaving`);
    expect([status, body.kind, body.status.phase]).toEqual([200, 'Namespace', 'Terminating']);
    const namespace = (await api.ask('GET', `${namespaces}/leaving`)).body;
    expect(namespace.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp);
  });

  test('an undeletable namespace is rejected with the message of the cluster', async () => {
    const { status, body } = await remove(`${namespaces}/default`);
    expect([status, body.reason, body.message, body.details]).toEqual([
      403,
      'Forbidden',
      'namespaces "default" is forbidden: this namespace may not be deleted',
      { name: 'default', kind: 'namespaces' },
    ]);
  });

  test('an object is deleted with its last finalizer', async () => {
    const path = `${accounts}/held`;
    await make(accounts, 'held', { metadata: { finalizers: ['own.example/a', 'own.example/b'] } });
    const marked = await remove(path);
    expect([marked.status, marked.body.metadata.deletionGracePeriodSeconds]).toEqual([200, 0]);
    const again = await remove(path, { orphanDependents: false });
    expect(again.body.metadata.deletionTimestamp).toBe(marked.body.metadata.deletionTimestamp);
    const rest = { metadata: { finalizers: ['own.example/b'] } };
    expect((await api.ask('PATCH', path, { ...merging, body: rest })).status).toBe(200);
    expect((await api.ask('GET', path)).body.metadata.finalizers).toEqual(['own.example/b']);
    const none = { metadata: { finalizers: null } };
    const last = await api.ask('PATCH', path, { ...merging, body: none });
    expect([last.status, last.body.metadata.finalizers]).toEqual([200, undefined]);
    expect(await statusOf(path)).toBe(404);
  });

  test('an object is deleted by an update that removes its last finalizer', async () => {
    const path = `${accounts}/put`;
    await make(accounts, 'put', { metadata: { finalizers: ['own.example/a'] } });
    const { body } = await remove(path);
    const { finalizers: _, ...metadata } = body.metadata;
    expect((await api.ask('PUT', path, { body: { ...body, metadata } })).status).toBe(200);
    expect(await statusOf(path)).toBe(404);
  });

  test('a pod on a node has a grace period, unless the request sets none', async () => {
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const withGrace = { ...spec, terminationGracePeriodSeconds: 30 };
    for (const name of ['slow', 'query', 'body']) await make(pods, name, { spec: withGrace });
    const { status, body } = await remove(`${pods}/slow`);
    expect([status, body.metadata.deletionGracePeriodSeconds]).toEqual([200, 30]);
    expect(await statusOf(`${pods}/slow`)).toBe(200);
    const shorter = await remove(`${pods}/slow`, { gracePeriodSeconds: 5 });
    expect(shorter.body.metadata.deletionGracePeriodSeconds).toBe(5);
    expect((await remove(`${pods}/query?gracePeriodSeconds=0`)).body.kind).toBe('Pod');
    expect(await statusOf(`${pods}/query`)).toBe(404);
    expect((await remove(`${pods}/body`, { gracePeriodSeconds: 0 })).status).toBe(200);
    expect(await statusOf(`${pods}/body`)).toBe(404);
  });

  test.each([
    [{ propagationPolicy: 'Orphan' }, 'orphan'],
    [{ propagationPolicy: 'Foreground' }, 'foregroundDeletion'],
    [{ orphanDependents: true }, 'orphan'],
  ])('dependents wait for the garbage collector of the cluster: %j', async (options, finalizer) => {
    const name = `owner-${Object.values(options)}`.toLowerCase();
    await make(accounts, name);
    const { status, body } = await remove(`${accounts}/${name}`, options);
    expect([status, body.metadata.finalizers]).toEqual([200, [finalizer]]);
    expect(await statusOf(`${accounts}/${name}`)).toBe(200);
  });

  test('deletes an object without finalizers, and keeps it in a dry run', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' };
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/deletions/roles`;
    const uid = (await make(roles, 'r', role)).body.metadata.uid;
    expect((await remove(`${roles}/r?dryRun=All`)).status).toBe(200);
    expect((await remove(`${roles}/r`, { preconditions: { uid: 'another' } })).status).toBe(409);
    const { status, body } = await remove(`${roles}/r`);
    const details = { name: 'r', group: 'rbac.authorization.k8s.io', kind: 'roles', uid };
    expect([status, body.kind, body.details]).toEqual([200, 'Status', details]);
    expect((await remove(`${roles}/r`)).status).toBe(404);
  });

  test('returns a deleted service account', async () => {
    await make(accounts, 'plain');
    expect((await remove(`${accounts}/plain`)).body.kind).toBe('ServiceAccount');
    expect(await statusOf(`${accounts}/plain`)).toBe(404);
  });

  test('deletes a collection, each object by the rules of the cluster', async () => {
    const labels = { of: 'collection' };
    await make(accounts, 'a', { metadata: { labels } });
    await make(accounts, 'b', { metadata: { labels, finalizers: ['own.example/a'] } });
    const { status, body } = await remove(`${accounts}?labelSelector=of%3Dcollection`);
    expect([status, body.items.length]).toEqual([200, 2]);
    expect(await statusOf(`${accounts}/a`)).toBe(404);
    expect(await statusOf(`${accounts}/b`)).toBe(200);
  });
};
