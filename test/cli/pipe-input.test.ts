/** Pipes as input: they are read without blocking the process, so that a signal ends it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const { path: folder } = temporaryFolder();
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings: {username: {claim: sub, prefix: "a:"}}
`;
writeFileSync(join(folder, 'a.yaml'), configuration);

const pipeNamed = (name: string): string => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
};

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command in a process; `whileRunning` can end it. */
const run = async (
  args: readonly string[],
  whileRunning: (child: ChildProcess) => Promise<void>,
): Promise<Ended> => {
  const child = spawn(process.execPath, ['--conditions=source', main, ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const closed = once(child, 'close');
  await whileRunning(child);
  await closed;
  return { code: child.exitCode, output };
};

/** Opens a pipe for writing once the process reads it. */
const openForWriting = async (path: string): Promise<number> => {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (cause) {
      if (!String(cause).includes('ENXIO')) throw cause;
      await pause(20);
    }
  }
};

test.each(['test', 'mutate'])(
  '%s of a pipe that stays open ends on a signal',
  async (command) => {
    const path = pipeNamed(`${command}.fifo`);
    let writer = 0;
    const { code, output } = await run([command, path], async (child) => {
      writer = await openForWriting(path);
      child.kill('SIGTERM');
    });
    closeSync(writer);
    expect(code).toBe(2);
    expect(output).toContain(`error: read ${path}: interrupted\n`);
  },
  60_000,
);

test('test of standard input that stays open ends on a signal', async () => {
  const { code, output } = await run(['test', '-'], async (child) => {
    // More than a pipe holds, so that the process has read a part of it.
    await new Promise((resolve) => child.stdin?.write('#'.repeat(1024 * 1024), resolve));
    child.kill('SIGTERM');
  });
  expect(code).toBe(2);
  expect(output).toContain('error: read standard input: interrupted\n');
}, 60_000);

test('a pipe is read to its end, whenever its writer opens it', async () => {
  const path = pipeNamed('late.authtest.yaml');
  const suite =
    'configuration: a.yaml\ntests: [{name: x, claims: {sub: b}, expect: {user: "a:b"}}]\n';
  const { code, output } = await run(['test', path], async () => {
    const writer = await openForWriting(path);
    await pause(100);
    writeSync(writer, suite);
    closeSync(writer);
  });
  expect(output).toContain('1 passed in 1 file');
  expect(code).toBe(0);
}, 60_000);

test('an empty pipe is an empty file', async () => {
  const path = pipeNamed('empty.yaml');
  const { code, output } = await run(['check', path], async () =>
    closeSync(await openForWriting(path)),
  );
  expect(output).toContain('AG1005');
  expect(code).toBe(1);
}, 60_000);
