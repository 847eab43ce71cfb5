import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../engine/src/cli/run.ts';
import { version } from '../../engine/src/cli/version.ts';
import { runCaptured } from '../support/captured-io.ts';

test('prints help to standard error without a command, to standard output on request', async () => {
  const bare = await runCaptured([]);
  expect(bare).toMatchObject({ code: 2, stdout: '' });
  for (const args of [['--help'], ['-h'], ['help']]) {
    const asked = await runCaptured(args);
    expect(asked).toMatchObject({ code: 0, stderr: '', stdout: bare.stderr });
  }
  for (const { name, summary } of commands)
    expect(bare.stderr).toContain(`${name.padEnd(14)}${summary}`);
});

test.each([
  ['chekc', 'Did you mean check?'],
  ['whoam', 'Did you mean whoami?'],
  ['srve', 'Did you mean serve?'],
])('suggests the command near %s', async (name, words) => {
  const { code, stderr } = await runCaptured([name]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test('does not suggest a command for an unrelated name', async () => {
  const { stderr } = await runCaptured(['frobnicate']);
  expect(stderr).toBe('error: unknown command "frobnicate"\nSee: authgraph --help\n');
});

describe('create token', () => {
  test.each([
    [['create', '--help']],
    [['create', '-h']],
    [['create', 'token', '--help']],
    [['help', 'create']],
    [['help', 'create', 'token']],
  ])('%j prints help', async (args) => {
    const { stdout } = await runCaptured(['create-token', '--help']);
    expect(await runCaptured(args)).toMatchObject({ code: 0, stderr: '', stdout });
  });
  test.each([
    [['create'], 'error: "create" requires an argument'],
    [['create', 'toke'], 'error: unknown command "create toke"'],
    [['create', 'token-request', 'x'], 'error: unknown command "create token-request"'],
  ])('%j is reported by name', async (args, error) => {
    const { code, stdout, stderr } = await runCaptured(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `${error}\n  Did you mean create token?\nSee: authgraph create token --help\n`,
    );
  });
});

test('prints the version of the package', async () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../engine/package.json'), 'utf8'),
  );
  expect(version).toBe(manifest.version);
  expect((await runCaptured(['--version'])).stdout).toBe(`authgraph ${version}\n`);
});

describe.each(commands.map(({ name }) => name))('%s --help', (name) => {
  test('prints usage, flags, examples and exit status in lines that fit', async () => {
    const { code, stdout } = await runCaptured([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^usage: authgraph ${name} `));
    expect(stdout).toContain('\nexamples:\n');
    expect(stdout).toContain('\nexit status:\n');
    expect(stdout).toContain('  --color auto|always|never');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
    expect((await runCaptured(['help', name])).stdout).toBe(stdout);
  });
  test('reports an unknown flag with the usage', async () => {
    const { code, stderr } = await runCaptured([name, '--colr=never']);
    expect(code).toBe(2);
    expect(stderr).toContain('error: unknown flag: --colr\n');
    expect(stderr).toContain(`usage: authgraph ${name} `);
  });
});

test('docs/cli.md lists every command', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  for (const { name } of commands) expect(page).toMatch(new RegExp(`\\| \`${name}[ \`]`));
});
