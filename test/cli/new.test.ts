/** `authgraph new`: the files of every provider are valid, and their sample is accepted. */
import { expect, test } from 'vitest';
import { providers } from '../../engine/src/providers/registry.ts';
import { runCaptured } from '../support/captured-io.ts';

test('lists the providers without an argument', async () => {
  const { code, stdout } = await runCaptured(['new']);
  expect(code).toBe(0);
  expect(stdout).toContain('keycloak');
  const { stdout: json } = await runCaptured(['new', '-o', 'json']);
  expect(JSON.parse(json).providers.map(({ id }: { id: string }) => id)).toEqual(
    providers.map(({ id }) => id),
  );
});

test.each(providers.map(({ id }) => id))(
  '%s: writes a valid configuration that accepts its sample',
  async (id) => {
    const { code, written, stdout } = await runCaptured(['new', id]);
    expect(code).toBe(0);
    const files = Object.fromEntries(written);
    expect(Object.keys(files)).toHaveLength(2);
    const check = await runCaptured(['check', 'authentication.yaml'], { files });
    expect(check.stderr).toBe('no problems in 1 file\n');
    const [, command = ''] = /^ {2}authgraph (.*)$/m.exec(stdout) ?? [];
    const whoami = await runCaptured(command.split(' '), { files });
    expect(whoami.code).toBe(0);
    expect(whoami.stdout).toContain('accepted');
    expect(whoami.stdout).not.toContain('would be expired');
  },
);

test('does not overwrite existing files', async () => {
  const files = { 'a/authentication.yaml': 'mine' };
  const refused = await runCaptured(['new', 'okta', '--folder', 'a/'], { files });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('a/authentication.yaml already exists');
  expect(refused.written.size).toBe(0);
  const forced = await runCaptured(['new', 'okta', '--folder', 'a', '--force'], { files });
  expect(forced.code).toBe(0);
  expect([...forced.written.keys()]).toEqual(['a/authentication.yaml', 'a/olu.claims.json']);
});

test('lists the providers for an unknown one', async () => {
  const { code, stderr } = await runCaptured(['new', 'octa']);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown provider "octa"');
  expect(stderr).toContain('okta');
});
