/** Patches that the real server has no answer to: it ends the connection, as its merge panics. */
import { expect, test } from 'vitest';
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
])('says what could not be merged: %j', async (patch, why) => {
  const api = await objectApi();
  const body = { metadata: { name: 'p' }, secrets, imagePullSecrets: secrets };
  await api.ask('POST', accounts, { body });
  const headers = ['Content-Type: application/strategic-merge-patch+json'];
  const { status, body: said } = await api.ask('PATCH', `${accounts}/p`, { headers, body: patch });
  expect([status, said.message]).toEqual([500, `runtime error: ${why}`]);
  const after = await api.ask('GET', `${accounts}/p`);
  expect(after.body).toMatchObject(body);
});
