/** Fairness of long pieces of work. */
import { expect, test } from 'vitest';
import { longTurn } from '../../../engine/src/server/api/long-turns.ts';
import { timeoutResponse } from '../../../engine/src/server/http/requested-timeout.ts';
import { objectApi } from '../../support/object-api.ts';

test('other work runs between two long pieces', async () => {
  const seen: string[] = [];
  const work = Array.from({ length: 3 }, () => longTurn().then(() => seen.push('work')));
  let left = 12;
  const other = (): void => {
    seen.push('other');
    left -= 1;
    if (left > 0) setImmediate(other);
  };
  other();
  await Promise.all(work);
  expect(seen.join(' ')).toMatch(/^other( other)* work( other)+ work( other)+ work/);
});

test('does not build a long list for a client that has gone', async () => {
  const { ask } = await objectApi();
  const path = '/api/v1/namespaces/default/serviceaccounts';
  for (let count = 0; count < 201; count += 1) {
    const metadata = { name: `account-${count}` };
    await ask('POST', path, {
      headers: ['Content-Type: application/json'],
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    });
  }
  expect((await ask('GET', path, { isCanceled: true })).answer).toBe(timeoutResponse);
  const list = await ask('GET', path);
  expect(list.body).toMatchObject({ kind: 'ServiceAccountList' });
  expect((await ask('GET', `${path}?limit=200`, { isCanceled: true })).status).toBe(200);
});
