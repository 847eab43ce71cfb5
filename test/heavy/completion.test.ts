/**
 * The completion scripts in their shells: lines are typed into an interactive bash and zsh on a
 * pseudo-terminal, completed with the tab key and run; fish lists its candidates itself. PowerShell is
 * not run: no Debian package has it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../engine/dist/cli/main.js');
const { path: folder, write } = temporaryFolder();
const isInstalled = (shell: string) => spawnSync('which', [shell]).status === 0;

beforeAll(() => {
  write('my file.yaml', '');
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'completion', shell]);
    if (status !== 0) throw new Error(String(stderr));
    writeFileSync(join(folder, `script.${shell}`), stdout);
  }
});

/** What is typed before the tab key, and the arguments that the program gets after it. */
const typed: readonly (readonly [string, readonly string[]])[] = [
  ['chec', ['check']],
  ['check -o sa', ['check', '-o', 'sarif']],
  ['check --output=git', ['check', '--output=github']],
  ['check --fail', ['check', '--fail-on']],
  ['check --fail-on warn', ['check', '--fail-on', 'warning']],
  ['check my', ['check', 'my file.yaml']],
  ['check -c my', ['check', '-c', 'my file.yaml']],
  ['new github', ['new', 'github-actions']],
  ['auth wh', ['auth', 'whoami']],
  ['auth whoami --as-g', ['auth', 'whoami', '--as-group']],
  ['help exp', ['help', 'explain']],
  ['completion pow', ['completion', 'powershell']],
  ['graph --target-version 1.37', ['graph', '--target-version', '1.37']],
  ['version my', ['version', 'my']],
];

/** An interactive shell in which `authgraph` prints its arguments. */
const startShell = (command: string, setup: string) => {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb', LANG: 'C.UTF-8' },
  });
  let output = '';
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    output += chunk;
    wake();
  });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output);
      if (found !== null) {
        output = output.slice(found.index + found[0].length);
        return found;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  // The quotes keep the echoed line from matching.
  child.stdin.write(`${setup}\nauthgraph() { printf '<%s>' "$@"; echo E''ND; }; echo START''ED\n`);
  const complete = async (line: string): Promise<readonly string[]> => {
    child.stdin.write(`authgraph ${line}\t\n`);
    const [all] = await until(/(?:<[^>]*>)+END/);
    return [...all.matchAll(/<([^>]*)>/g)].map(([, argument = '']) => argument);
  };
  return { started: until(/STARTED/), complete, stop: () => child.kill('SIGKILL') };
};

describe.each([
  ['bash', 'bash --norc --noprofile -i', 'source script.bash'],
  ['zsh', 'zsh -f -i', 'autoload -Uz compinit; compinit -u -D; source script.zsh'],
])('%s', (shell, command, setup) => {
  test.runIf(isInstalled(shell))('the script has no syntax error', () => {
    const { status, stderr } = spawnSync(shell, ['-n', join(folder, `script.${shell}`)]);
    expect([status, String(stderr)]).toEqual([0, '']);
  });
  const running = isInstalled(shell) ? startShell.bind(undefined, command, setup) : undefined;
  let session: ReturnType<typeof startShell> | undefined;
  beforeAll(async () => {
    session = running?.();
    await session?.started;
  });
  afterAll(() => {
    session?.stop();
  });
  test.runIf(running).each(typed)('%s', async (line, completed) => {
    expect(await session?.complete(line)).toEqual(completed);
  });
});

describe('fish', () => {
  const candidates = (line: string): readonly string[] => {
    const code = `source script.fish; complete -C 'authgraph ${line}'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', code], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    });
    return stdout
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => text.split('\t')[0] ?? '');
  };
  test.runIf(isInstalled('fish')).each(typed)('%s', (line, completed) => {
    const last = completed.at(-1) ?? '';
    expect(candidates(line)).toEqual(line.startsWith('version') ? [] : [last]);
  });
});

test('names the shells that were not tried', () => {
  const absent = ['bash', 'zsh', 'fish'].filter((shell) => !isInstalled(shell));
  if (absent.length > 0) console.warn(`not installed, so not tried: ${absent.join(', ')}`);
  expect(absent.length).toBeLessThan(3);
});
