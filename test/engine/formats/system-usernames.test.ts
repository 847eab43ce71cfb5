/** Usernames of service accounts and nodes: only those that can exist are recognized. */
import { expect, test } from 'vitest';
import {
  nodeNameOfUsername,
  serviceAccountGroups,
  serviceAccountUsername,
  splitServiceAccountUsername,
} from '../../../engine/src/formats/system-usernames.ts';

const long = (count: number): string => 'a'.repeat(count);

test.each([
  ['system:serviceaccount:team:robot', { namespace: 'team', name: 'robot' }],
  ['system:serviceaccount:team:robot.one-2', { namespace: 'team', name: 'robot.one-2' }],
  [`system:serviceaccount:${long(63)}:r`, { namespace: long(63), name: 'r' }],
  [`system:serviceaccount:${long(64)}:r`, undefined],
  [`system:serviceaccount:t:${long(254)}`, undefined],
  ['system:serviceaccount:team.a:robot', undefined],
  ['system:serviceaccount:team:robot:more', undefined],
  ['system:serviceaccount:team:', undefined],
  ['system:serviceaccount::robot', undefined],
  ['system:serviceaccount:Team:robot', undefined],
  ['system:serviceaccount:team:robot\n', undefined],
  ['system:serviceaccounts:team:robot', undefined],
  ['ann', undefined],
])('%j', (username, account) => {
  expect(splitServiceAccountUsername(username)).toEqual(account);
  if (account !== undefined)
    expect(serviceAccountUsername(account.namespace, account.name)).toBe(username);
});

test.each([
  ['system:node:one.example', 'one.example'],
  ['system:node:', undefined],
  ['system:node:-one', undefined],
  ['system:nodes', undefined],
])('%j', (username, node) => {
  expect(nodeNameOfUsername(username)).toBe(node);
});

test('a service account is in the groups of all service accounts and of its namespace', () => {
  expect(serviceAccountGroups('team')).toEqual([
    'system:serviceaccounts',
    'system:serviceaccounts:team',
  ]);
});
