/** `authgraph serve` as users start it, a process of its own in a folder of its own, on loopback. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export interface ServeProcess {
  /** `https://127.0.0.1:1234` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Returns its output so far. */
  output(): string;
  /** Stops it as a user would. */
  stop(): Promise<void>;
}

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const startMs = 60_000;

export interface ServeProcessOptions {
  readonly port?: number;
  /** The store has the bootstrap roles of an earlier start. */
  readonly storeIsFilled?: true;
}

/**
 * Starts the server and waits until it listens and its store has the bootstrap roles; rejects with its
 * output if it exits.
 */
export const serveProcess = async (
  folder: string,
  flags: readonly string[],
  { port, storeIsFilled }: ServeProcessOptions = {},
): Promise<ServeProcess> => {
  const chosen = port ?? (await freePort());
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      main,
      ...['serve', '--bind-address=127.0.0.1', `--secure-port=${chosen}`, '--color=never'],
      ...flags,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`not started in time:\n${output}`)), startMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        if (!isReady(output, storeIsFilled === true)) return;
        clearTimeout(limit);
        resolve();
      });
    }
    child.once('close', () => reject(new Error(output)));
    child.once('close', () => clearTimeout(limit));
  });
  return {
    url: `https://127.0.0.1:${chosen}`,
    port: chosen,
    pid: Number(child.pid),
    output: () => output,
    stop: () => stopProcess(child),
  };
};

const isReady = (output: string, storeIsFilled: boolean): boolean =>
  output.includes(' serves ') && (storeIsFilled || output.includes('bootstrap roles written'));

/** Ends a process that may have ended already. */
export const stopProcess = async (
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const hard = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(hard);
};

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it exits; a status other than 0 does not throw. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { folder, input }: { readonly folder: string; readonly input?: string },
): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: folder };
    const child = execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    // A program that ended already reads nothing.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });

/**
 * Runs a program until its output matches or time is over; then stops it, returns its output.
 * `onFirstOutput` runs meanwhile, and fails the call if it fails.
 */
export const runUntil = async (
  program: string,
  args: readonly string[],
  { folder, fits, limitMs = 20_000, onFirstOutput }: UntilOptions,
): Promise<string> => {
  const env = { PATH: process.env.PATH, HOME: folder };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let meanwhile: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, limitMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += String(chunk);
        meanwhile ??= onFirstOutput?.();
        if (fits.test(printed)) resolve();
      });
    }
    child.once('close', () => resolve());
    child.once('close', () => clearTimeout(limit));
  });
  await stopProcess(child, 'SIGKILL');
  await meanwhile;
  return printed;
};

interface UntilOptions {
  readonly folder: string;
  readonly fits: RegExp;
  readonly limitMs?: number;
  readonly onFirstOutput?: () => Promise<void>;
}
