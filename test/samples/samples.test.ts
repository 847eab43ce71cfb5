/** Every sample is valid, causes no warnings, and maps its claims to the expected user. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { providers } from '../../engine/src/providers/registry.ts';
import { runCaptured } from '../support/captured-io.ts';
import { expectedUsers, strangers } from './expected.ts';

const samples = join(import.meta.dirname, '../../samples');
const read = (path: string) => readFileSync(join(samples, path), 'utf8');
const configurations = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.yaml') && !path.endsWith('.authtest.yaml'),
);

/** Advice that is not about a mistake in the file. */
const advice = new Map([
  // Which groups Microsoft Entra ID sends is configured there.
  ['jwt/entra.yaml', ['AG4034']],
]);

test.each(configurations)('%s has no problem', async (path) => {
  const { code, stdout, stderr } = await runCaptured(['check', 'sample.yaml'], {
    files: { 'sample.yaml': read(path) },
  });
  const isAdvised = advice.has(path);
  expect([code, [...stdout.matchAll(/\[(AG\d{4})\]/g)].map(([, found]) => found)]).toEqual([
    0,
    advice.get(path) ?? [],
  ]);
  if (!isAdvised) expect([stdout, stderr]).toEqual(['', 'no problems in 1 file\n']);
});

describe.each([...expectedUsers])('jwt/%s.yaml', (name, user) => {
  const whoami = async (change: (claims: Record<string, unknown>) => void = () => {}) => {
    const claims: Record<string, unknown> = JSON.parse(read(`jwt/${name}.claims.json`));
    change(claims);
    const files = {
      [`${name}.yaml`]: read(`jwt/${name}.yaml`),
      [`${name}.claims.json`]: JSON.stringify(claims),
    };
    const command = /^# Try it: authgraph (.*)$/m.exec(files[`${name}.yaml`] ?? '')?.[1] ?? '';
    const { stdout } = await runCaptured([...command.split(' '), '--output', 'json'], { files });
    return JSON.parse(stdout);
  };

  test('returns the user with the command in its header', async () => {
    const { decision, user: actual } = await whoami();
    expect(decision).toBe('accepted');
    expect(actual).toEqual({
      username: user.username,
      uid: user.uid,
      groups: [...user.groups, 'system:authenticated'],
      extra: Object.fromEntries(user.extra),
    });
  });

  test('rejects claims of another user', async () => {
    const [claim = '', value, expected] = strangers.get(name) ?? [];
    const { decision } = await whoami((claims) => {
      expect(claims).toHaveProperty([claim]);
      claims[claim] = value;
    });
    expect(decision).toBe(expected);
  });
});

test('has a sample for each provider', () => {
  expect([...expectedUsers.keys()].sort()).toEqual(providers.map(({ id }) => id).sort());
});

describe('impersonation/roles.json', () => {
  const builder = 'system:serviceaccount:team:builder';
  test.each([
    ['support', 0, 'impersonating'],
    [builder, 0, 'impersonating'],
    ['system:serviceaccount:other:builder', 1, 'cannot impersonate'],
    ['admin', 1, 'cannot impersonate'],
  ])('a developer as %s', async (name, status, words) => {
    const files = {
      'keycloak.yaml': read('jwt/keycloak.yaml'),
      'keycloak.claims.json': read('jwt/keycloak.claims.json'),
      'roles.json': read('impersonation/roles.json'),
    };
    const input = ['-c', 'keycloak.yaml', '--claims', 'keycloak.claims.json'];
    const { code, stdout } = await runCaptured(
      ['whoami', ...input, '--as', name, '--rbac-file', 'roles.json'],
      { files },
    );
    expect(code).toBe(status);
    expect(stdout).toContain(words);
  });
});
