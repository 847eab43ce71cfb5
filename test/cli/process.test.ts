/** The program as a process: pipes, signals and files. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const { path: folder } = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const nodeArgs = ['--conditions=source', '--disable-warning=ExperimentalWarning', main];

const run = (
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...nodeArgs, ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(input);
  });

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.invalid
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "i:"}
`;

test('a configuration on standard input, claims in a file', async () => {
  const claims = join(folder, 'claims.json');
  writeFileSync(claims, '{"sub":"jane"}');
  const { code, stdout, stderr } = await run(['whoami', '-c', '-', '--claims', claims], config);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Username  i:jane');
});

test.each<[string, readonly string[], string, number, RegExp]>([
  [
    'a broken file',
    ['check', '-'],
    config.replace('https:', 'http:'),
    1,
    /URL scheme must be https/,
  ],
  ['a folder', ['check', folder], '', 2, /: no AuthenticationConfiguration/],
  ['a missing file', ['check', join(folder, 'x')], '', 2, /open .*x: no such file or directory\n/],
  ['no command', [], '', 0, /usage: authgraph COMMAND/],
])('%s', async (_, args, input, code, words) => {
  const ran = await run(args, input);
  expect(ran.code).toBe(code);
  expect(ran.stdout + ran.stderr).toMatch(words);
});

test.each([['check'], ['graph'], ['compile'], ['serve', '--authentication-config']])(
  '%s rejects a file that is not UTF-8',
  async (...args) => {
    const path = join(folder, 'latin.yaml');
    writeFileSync(path, Buffer.from(config.replace('i:', 'é:'), 'latin1'));
    const { code, stdout, stderr } = await run([...args, path]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('error[AG1001] yaml: invalid trailing UTF-8 octet');
    expect(stdout + stderr).toContain('latin.yaml:8:37');
    if (args.length > 1)
      expect(stderr).toContain(`from file "${path}": yaml: invalid trailing UTF-8 octet\n`);
  },
);

test('an output file that cannot be written', async () => {
  const { code, stderr } = await run(['compile', '-', '--out', join(folder, 'no', 'x')], config);
  expect(code).toBe(2);
  expect(stderr).toMatch(/no such file or directory\n$/);
});

test('reports the required version on an older Node', async () => {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.19.4'}})`;
  const child = execFile(process.execPath, ['--import', older, ...nodeArgs, '--version']);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, stderr]).toEqual([
    2,
    'authgraph requires Node.js 22.19 or newer; found 20.19.4\n  In this clone, `npx authgraph` runs it with the Node.js of the clone.\n',
  ]);
});

test('a closed reader does not change the exit code', async () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, config.replace('https:', 'http:'));
  const child = spawn(process.execPath, [...nodeArgs, 'check', broken, broken]);
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
});

test.runIf(existsSync('/dev/full'))(
  'reports a failed write to standard output in one line',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...nodeArgs, '--version'], {
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    closeSync(full);
    expect([code, stderr]).toEqual([2, 'error: write standard output: no space left on device\n']);
  },
);

test.runIf(existsSync('/dev/zero'))('reads an endless device up to the limit', async () => {
  const { code, stdout, stderr } = await run(['check', '/dev/zero']);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: read /dev/zero: larger than ${64 * 1024 * 1024} bytes\n`,
  });
});

test('a closed reader is not a failure', async () => {
  const child = spawn(process.execPath, [...nodeArgs, 'serve', '--help']);
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
});

describe('serve', () => {
  const started = async (args: readonly string[]) => {
    const child = spawn(process.execPath, [
      ...nodeArgs,
      'serve',
      '--bind-address=127.0.0.1',
      ...args,
    ]);
    children.push(child);
    const output = { stdout: '', stderr: '' };
    const waiting: { readonly words: RegExp; readonly done: () => void }[] = [];
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        output[name] += chunk;
        for (const { words, done } of waiting)
          if (words.test(output.stdout + output.stderr)) done();
      });
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const says = (words: RegExp) =>
      new Promise<void>((resolve, reject) => {
        if (words.test(output.stdout + output.stderr)) resolve();
        waiting.push({ words, done: resolve });
        void exit.then(() => reject(new Error(`ended: ${output.stdout}${output.stderr}`)));
      });
    return { child, output, exit, says };
  };

  test('prints one line when ready, answers, reloads its file, ends on a signal', async () => {
    const path = join(folder, 'auth.yaml');
    const log = join(folder, 'decisions.log');
    writeFileSync(path, config);
    const port = await freePort();
    const server = await started([
      `--authentication-config=${path}`,
      `--secure-port=${port}`,
      `--decision-log=${log}`,
      '--log-level=error',
    ]);
    await server.says(/serves .* \(1 issuer\)"}\n/);
    const url = `https://127.0.0.1:${port}`;
    expect(JSON.parse(server.output.stdout)).toMatchObject({
      message: `authgraph serves ${path} on ${url} (1 issuer)`,
      ...{ level: 'info', file: path, url, issuers: 1 },
    });
    expect(await sendHttps({ port, path: '/livez' })).toMatchObject({ status: 200, body: 'ok' });

    writeFileSync(path, config.replace('https:', 'http:'));
    await server.says(/the last good configuration stays active"}\n/);
    // Every line is a JSON object; the level of the others is below error.
    const reported = server.output.stderr.trimEnd().split('\n');
    expect(reported.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'error',
        time: expect.any(String),
        err: expect.stringContaining('jwt[0].issuer.url: Invalid value: "http:'),
        file: path,
        diagnostics: [
          {
            severity: 'error',
            code: 'AG1017',
            ...{ line: 5, column: 10 },
            path: 'jwt[0].issuer.url',
            message: expect.stringContaining('URL scheme must be https'),
            help: expect.any(String),
          },
        ],
        message: expect.stringContaining('failed to load authentication config'),
      },
    ]);
    expect((await sendHttps({ port, path: '/livez' })).status).toBe(200);

    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toHaveLength(2);
  });

  test('reports a port in use with the other problems, and writes nothing', async () => {
    const holder = await listenOnLoopback(createServer());
    const store = join(folder, 'store-of-no-server');
    const server = await started([
      ...[`--secure-port=${holder.port}`, `--store-path=${store}`],
      `--authentication-config=${join(folder, 'missing.yaml')}`,
    ]);
    expect(await server.exit).toBe(2);
    const target = `127.0.0.1:${holder.port}`;
    const [first, help, second, ...others] = server.output.stderr.split('\n');
    expect(first).toBe(
      `error: failed to create listener: failed to listen on ${target}: listen tcp ${target}: bind: address already in use`,
    );
    expect(help).toContain('or select another port with --secure-port');
    expect(second).toContain('missing.yaml: no such file or directory');
    expect(others).toEqual(['']);
    expect(server.output.stdout).toBe('');
    expect(existsSync(store)).toBe(false);
    await holder.close();
  });
});
