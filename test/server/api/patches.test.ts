/** Patches on which kube-apiserver's merge panics, and patches that are too expensive. */
import { describe, expect, test } from 'vitest';
import { objectApi } from '../../support/object-api.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const secrets = [{ name: 'a' }];

test.each([
  [{ $retainKeys: [{}] }, 'hash of unhashable type map[string]interface {}'],
  [{ $retainKeys: [[]] }, 'hash of unhashable type []interface {}'],
  [{ '$setElementOrder/imagePullSecrets': [] }, 'hash of unhashable type map[string]interface {}'],
  [
    { secrets: [{ name: {} }], '$setElementOrder/secrets': [{ name: {} }] },
    'comparing uncomparable type map[string]interface {}',
  ],
  [
    { metadata: { finalizers: [null], '$setElementOrder/finalizers': [null] } },
    'invalid memory address or nil pointer dereference',
  ],
])('reports what could not be merged: %j', async (patch, why) => {
  const api = await objectApi();
  const body = { metadata: { name: 'p' }, secrets, imagePullSecrets: secrets };
  await api.ask('POST', accounts, { body });
  const headers = ['Content-Type: application/strategic-merge-patch+json'];
  const { status, body: said } = await api.ask('PATCH', `${accounts}/p`, { headers, body: patch });
  expect([status, said.message]).toEqual([500, `runtime error: ${why}`]);
  const after = await api.ask('GET', `${accounts}/p`);
  expect(after.body).toMatchObject(body);
});

const nil = 'invalid memory address or nil pointer dereference';
const add = (path: string, value: unknown): object => ({ op: 'add', path, value });
const same = (path: string, value: unknown): object => ({ op: 'test', path, value });

test.each([
  [[{ op: 'replace', path: '' }], nil],
  [[{ op: 'test', path: '' }], nil],
  [[add('/a', [null]), same('/a', [null])], nil],
  [[add('/a', [null]), same('/a', [1])], nil],
  [[add('/a', [1]), same('/a', [null])], nil],
  [[add('/a', [{}]), same('/a', [null])], nil],
  [[add('/a', []), add('/a/-', null), same('/a', [null])], nil],
  [
    [add('/a', null), { op: 'copy', from: '/a', path: '/b' }, add('/b/c', 1)],
    'assignment to entry in nil map',
  ],
])('reports the operation that failed: %j', async (operations, why) => {
  const api = await objectApi();
  await api.ask('POST', accounts, { body: { metadata: { name: 'p' }, secrets } });
  const headers = ['Content-Type: application/json-patch+json'];
  const asked = await api.ask('PATCH', `${accounts}/p`, { headers, body: operations });
  expect([asked.status, asked.body.message]).toEqual([500, `runtime error: ${why}`]);
});

describe('a strategic merge of long lists', () => {
  const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `s${at}` }));
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `example.com/f${at}`);
  const merge = async (patch: object) => {
    const api = await objectApi();
    const metadata = { name: 'p', finalizers: ['example.com/f'] };
    await api.ask('POST', accounts, { body: { metadata, secrets } });
    const headers = ['Content-Type: application/strategic-merge-patch+json'];
    return api.ask('PATCH', `${accounts}/p`, { headers, body: patch });
  };

  test.each([
    ['items by their names', { secrets: named(1_500) }],
    ['texts', { metadata: { finalizers: texts(1_500) } }],
  ])('%s are merged', async (_name, patch) => {
    expect((await merge(patch)).status).toBe(200);
  });

  test.each([
    ['items by their names', { secrets: named(2_000) }],
    ['texts', { metadata: { finalizers: texts(2_000) } }],
    [
      'two lists that are too much together',
      { secrets: named(1_500), metadata: { finalizers: texts(1_500) } },
    ],
    ['an order', { secrets: named(900), '$setElementOrder/secrets': named(1_200) }],
  ])('%s are rejected before they block others', async (_name, patch) => {
    const { status, body } = await merge(patch);
    expect([status, body.reason]).toEqual([413, 'RequestEntityTooLarge']);
    expect(body.message).toContain('a strategic merge patch merges is 2000');
  });
});

test('rejects a value with more depth than a body may have', async () => {
  const api = await objectApi();
  await api.ask('POST', accounts, { body: { metadata: { name: 'p' }, secrets } });
  const levels = 40;
  const nest = JSON.parse(`${'{"n":'.repeat(levels)}{}${'}'.repeat(levels)}`);
  const inside = '/n'.repeat(levels);
  const grow = Array.from({ length: 2_000 }, () => [
    add('/b', nest),
    { op: 'move', from: '/a', path: `/b${inside}/n` },
    { op: 'move', from: '/b', path: '/a' },
  ]);
  const headers = ['Content-Type: application/json-patch+json'];
  const body = [add('/a', {}), ...grow.flat()];
  const asked = await api.ask('PATCH', `${accounts}/p?fieldValidation=Ignore`, { headers, body });
  expect([asked.status, asked.body.reason]).toEqual([422, 'Invalid']);
});
