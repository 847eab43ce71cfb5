/** The program as a plugin of kubectl. */
import { expect, test } from 'vitest';
import { asTyped, pluginNameOf } from '../../engine/src/cli/program-name.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo } from '../support/captured-io.ts';

test.each<[string, string | undefined]>([
  ['/usr/local/bin/kubectl-authgraph', 'kubectl authgraph'],
  ['/app/node_modules/@authgraph/engine/bin/kubectl-authgraph.js', 'kubectl authgraph'],
  ['C:\\npm\\kubectl-authgraph', 'kubectl authgraph'],
  ['/usr/local/bin/authgraph', undefined],
  ['/kubectl-authgraph/bin/authgraph.js', undefined],
  ['', undefined],
])('%s', (program, name) => {
  expect(pluginNameOf(program)).toBe(name);
});

test('only commands are replaced', () => {
  const io = { programName: 'kubectl authgraph' };
  for (const [text, typed] of [
    ['usage: authgraph check', 'usage: kubectl authgraph check'],
    ['Use "authgraph --help"', 'Use "kubectl authgraph --help"'],
    ['x | authgraph check -', 'x | kubectl authgraph check -'],
    ['authgraph: authenticate requests', 'authgraph: authenticate requests'],
    ['~/.kube/authgraph and', '~/.kube/authgraph and'],
    ['authgraph 0.1.0', 'authgraph 0.1.0'],
  ]) {
    expect(asTyped(text ?? '', io)).toBe(typed);
    expect(asTyped(text ?? '', {})).toBe(text);
  }
});

const run = async (...args: readonly string[]) => {
  const { io, out } = capturedIo({ variables: { HOME: '/nonexistent' } });
  const code = await runCli(args, { ...io, programName: 'kubectl authgraph' });
  return { code, ...out };
};

test('help and usage lines name kubectl', async () => {
  expect((await run('--help')).stdout).toContain('\nusage: kubectl authgraph COMMAND ');
  expect((await run('check', '--help')).stdout).toMatch(/^usage: kubectl authgraph check /);
  expect((await run('check', '--help')).stdout).not.toMatch(/^ {2}authgraph /m);
  expect((await run('auth', 'whoami', '--nope')).stderr).toContain(
    'See: kubectl authgraph auth whoami --help\n',
  );
  expect((await run('nope')).stderr).toContain('See: kubectl authgraph --help\n');
  expect((await run('auth')).stderr).toContain('See: kubectl authgraph auth whoami --help\n');
});

test.each<[readonly string[], boolean]>([
  [[], true],
  [['-o', 'json'], true],
  [['--context=x'], true],
  [['-c', 'a.yaml'], false],
  [['--config=a.yaml'], false],
  [['a.yaml'], false],
  [['--claims', '{}'], false],
])('whoami %j asks the server: %s', async (args, asks) => {
  const { stderr } = await run('whoami', ...args);
  expect(/no server has been specified|context "x"/.test(stderr)).toBe(asks);
});
