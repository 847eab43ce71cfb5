/** `authgraph serve` as a process with the probe; all output is collected. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { sendRequest } from './ask.ts';

export interface Vitals {
  readonly rssMegabytes: number;
  readonly heapMegabytes: number;
  /** The part of the heap that is code: V8 compiles functions again the more they are called. */
  readonly codeMegabytes: number;
  /** Since the last call. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  readonly processorMs: number;
  readonly resources: Readonly<Record<string, number>>;
  /** The size of the largest map in the process; 0 if not requested. */
  readonly largestMap: number;
  /** The number of promises that are reachable; 0 if not requested. */
  readonly promises: number;
}

export interface VitalsOptions {
  /** Collects the garbage first. */
  readonly collect?: boolean;
  readonly maps?: boolean;
  readonly promises?: boolean;
}

export interface Served {
  readonly port: number;
  readonly pid: number;
  output(): string;
  alive(): boolean;
  vitals(options?: VitalsOptions): Promise<Vitals>;
  /** The number of open file descriptors. */
  descriptors(): number;
  /** Moves the wall clock of the process; 0 restores it. */
  moveClock(offsetMs: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly folder: string;
  readonly args: readonly string[];
  readonly port?: number;
  /** Flags of Node. */
  readonly node?: readonly string[];
  /** A command prefix before Node, `['nice', '-n', '10']`. */
  readonly under?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** Does not wait for /readyz. */
  readonly unready?: boolean;
}

const engine = join(import.meta.dirname, '../../../engine');
/** Another build of the program can be tested, such as `engine/dist/cli/main.js`. */
const main = process.env.AUTHGRAPH_PROGRAM ?? join(engine, 'src/cli/main.ts');
const probe = join(import.meta.dirname, 'probe.ts');
const startMs = 100_000;

/** Starts the process without waiting. */
export const spawnServe = (options: ServeOptions & { readonly port: number }): ChildProcess => {
  const {
    folder,
    args,
    port,
    node = [],
    under = [],
    environment = {},
    address = '127.0.0.1',
  } = options;
  const [program = process.execPath, ...before] = [...under, process.execPath];
  return spawn(
    program,
    [
      ...before,
      ...['--conditions=source', '--disable-warning=ExperimentalWarning', '--expose-gc'],
      ...node,
      ...['--import', probe, main, 'serve', '--color=never'],
      ...['--bind-address', address, '--secure-port', String(port), ...args],
    ],
    {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
};

/** Starts the process and waits until it is ready. */
export const serve = async (options: ServeOptions): Promise<Served> => {
  const { port = await freePort(), address = '127.0.0.1' } = options;
  const child = spawnServe({ ...options, port });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const waiting = new Map<unknown, (vitals: Vitals) => void>();
  child.on('message', (message) => {
    if (typeof message !== 'object' || message === null || !('probe' in message)) return;
    waiting.get(message.probe)?.(message as unknown as Vitals);
    waiting.delete(message.probe);
  });
  const until = performance.now() + startMs;
  while (!output.includes(' serves ')) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the server does not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  while (options.unready !== true) {
    const answer = await sendRequest({ port, host: address }, { path: '/readyz' }).catch(
      () => undefined,
    );
    if (answer?.status === 200) break;
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the server is not ready: ${answer?.body}\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  let questions = 0;
  const ask = (question: object): Promise<Vitals> =>
    new Promise((resolve, reject) => {
      questions += 1;
      waiting.set(questions, resolve);
      child.send({ ...question, id: questions }, (problem) => {
        if (problem !== null) reject(problem);
      });
    });
  const alive = () => child.exitCode === null && child.signalCode === null;
  return {
    port,
    pid: child.pid ?? 0,
    output: () => output,
    alive,
    vitals: (options = {}) => ask(options),
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    moveClock: async (clockOffsetMs) => {
      await ask({ clockOffsetMs });
    },
    signal: (signal) => child.kill(signal),
    async stop() {
      if (!alive()) return;
      const closed = once(child, 'close');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await closed;
      clearTimeout(timer);
    },
  };
};
