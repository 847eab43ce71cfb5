/** Pages of lists, and minimum revisions. */
import { expect, test } from 'vitest';
import { continueToken } from '../../../engine/src/server/api/continue-token.ts';
import { type ObjectApi, objectApi } from '../../support/object-api.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

const make = (api: ObjectApi, name: string, labels: Record<string, string> = {}) =>
  api.ask('POST', accounts, { body: { metadata: { name, labels } } });

const withAccounts = async (...names: readonly string[]): Promise<ObjectApi> => {
  const api = await objectApi();
  for (const name of names) await make(api, name);
  return api;
};

const namesOf = (body: { items: { metadata: { name: string } }[] }): readonly string[] =>
  body.items.map(({ metadata }) => metadata.name);

test('pages show one state, whatever is written between them', async () => {
  const api = await withAccounts('a', 'b', 'c', 'd', 'e');
  const first = await api.ask('GET', `${accounts}?limit=2`);
  expect(namesOf(first.body)).toEqual(['a', 'b']);
  expect(first.body.metadata.remainingItemCount).toBe(3);
  await make(api, 'bb');
  await api.ask('DELETE', `${accounts}/d`);
  const { continue: token, resourceVersion } = first.body.metadata;
  const second = await api.ask('GET', `${accounts}?limit=2&continue=${token}`);
  expect(namesOf(second.body)).toEqual(['c', 'd']);
  expect(second.body.metadata.resourceVersion).toBe(resourceVersion);
  const last = await api.ask(
    'GET',
    `${accounts}?limit=2&continue=${second.body.metadata.continue}`,
  );
  expect(namesOf(last.body)).toEqual(['e']);
  expect(last.body.metadata.continue).toBeUndefined();
  expect(namesOf((await api.ask('GET', accounts)).body)).toEqual(['a', 'b', 'bb', 'c', 'e']);
});

test('a last page of a list of another worker is copied once', async () => {
  let copies = 0;
  const api = await objectApi({
    async findList() {
      copies += 1;
      return list;
    },
  });
  await make(api, 'a');
  const list = await api.store.list('serviceaccounts', { namespace: 'default' });
  await make(api, 'b');
  const path = `${accounts}?continue=${continueToken(list.revision, '0')}`;
  for (let page = 0; page < 3; page += 1) await api.ask('GET', path);
  expect(copies).toBe(1);
});

test('a page of an expired list is a 410', async () => {
  const api = await withAccounts('a', 'b');
  const first = await api.ask('GET', `${accounts}?limit=1`);
  await make(api, 'c');
  api.clock.advance(300_001);
  const late = await api.ask('GET', `${accounts}?limit=1&continue=${first.body.metadata.continue}`);
  expect(late.status).toBe(410);
  expect(late.body.reason).toBe('Expired');
});

test('a list over all namespaces continues where it ended', async () => {
  const api = await withAccounts('x');
  await api.ask('POST', '/api/v1/namespaces/kube-system/serviceaccounts', {
    body: { metadata: { name: 'a' } },
  });
  const first = await api.ask('GET', '/api/v1/serviceaccounts?limit=1');
  expect(namesOf(first.body)).toEqual(['x']);
  const token = first.body.metadata.continue;
  const second = await api.ask('GET', `/api/v1/serviceaccounts?limit=1&continue=${token}`);
  expect(namesOf(second.body)).toEqual(['a']);
});

test('omits the remaining count with a selector', async () => {
  const api = await objectApi();
  for (const name of ['a', 'b', 'c']) await make(api, name, { team: 'x' });
  const { body } = await api.ask('GET', `${accounts}?limit=1&labelSelector=team%3Dx`);
  expect(body.metadata.continue).toEqual(expect.any(String));
  expect(body.metadata.remainingItemCount).toBeUndefined();
});

test('deleting a collection deletes and returns the selected objects', async () => {
  const api = await withAccounts('a');
  await make(api, 'b', { team: 'x' });
  const { status, body } = await api.ask('DELETE', `${accounts}?labelSelector=team%3Dx`);
  expect(status).toBe(200);
  expect(namesOf(body)).toEqual(['b']);
  expect(namesOf((await api.ask('GET', accounts)).body)).toEqual(['a']);
});
