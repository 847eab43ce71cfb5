/**
 * The workers of a server. Each is a process that serves requests; this process accepts the
 * connections and passes each to the worker with the fewest, restarts workers that end, and ends
 * them all when the server stops.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { growingDelay } from '../../controllers/sync-controller.ts';
import type { MetricFamily } from '../../node/metrics.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import type { Log } from '../../ports/log.ts';
import { connectionLimits } from '../limits.ts';
import { type Channel, type ChannelMessage, openChannel } from './channel.ts';
import type { PrimaryMethods, SharedRequest, WorkerMethods, WorkerSetup } from './methods.ts';
import { type SharedStore, storeMethods } from './store-methods.ts';
import { workerMetrics } from './worker-metrics.ts';

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly command: WorkerCommand;
  /** Returns what the worker with this number needs to start. */
  readonly setup: (worker: number) => WorkerSetup;
  readonly objects: SharedStore;
  readonly fetch: (process: number, request: SharedRequest) => Promise<HttpResponse>;
  /** Returns the metrics of this process. */
  readonly metrics: () => Promise<readonly MetricFamily[]>;
  readonly onConfiguration: (text: string) => void;
  /** Receives whole lines that workers wrote to their standard streams. */
  readonly forward: Readonly<Record<'stdout' | 'stderr', (lines: string) => void>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The program that runs a worker. */
export interface WorkerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The environment variable that makes `serve` a worker. */
export const workerVariable = 'AUTHGRAPH_WORKER';

export type PoolStart =
  | { readonly kind: 'started'; readonly issuers: number }
  /** A worker ended with this code before it was ready; it has written why. */
  | { readonly kind: 'failed'; readonly code: number };

const minRestartMs = 200;
const maxRestartMs = 30_000;
/** A worker that ran for this long is restarted without a longer delay than the first one. */
const stableMs = 60_000;
/** Time for the end of a worker after the grace period of its requests. */
const endMs = 5_000;

interface Worker {
  readonly number: number;
  readonly child: ChildProcess;
  readonly channel: Channel<WorkerMethods>;
  readonly startedAt: number;
  readonly ended: Promise<void>;
  isReady: boolean;
  /** Connections that were passed to it and are open. */
  connections: number;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<number, Worker>();
  readonly #delays = new Map<number, ReturnType<typeof growingDelay>>();
  readonly #metrics = workerMetrics();
  /** Connections that wait for a worker. */
  readonly #waiting = new Set<Socket>();
  readonly #start = Promise.withResolvers<PoolStart>();
  #issuers = 0;
  #hasStarted = false;
  #isStopping = false;
  #areRolesStored = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts all workers; resolves once each of them is ready, or one of them failed. */
  start(): Promise<PoolStart> {
    for (let number = 1; number <= this.#options.workers; number += 1) this.#launch(number);
    return this.#start.promise;
  }

  /** Passes a connection to the ready worker with the fewest connections. */
  pass(socket: Socket): void {
    const ready = [...this.#workers.values()].filter(({ isReady }) => isReady);
    const [first, ...others] = ready;
    if (first === undefined) {
      this.#hold(socket);
      return;
    }
    const chosen = others.reduce(
      (least, worker) => (worker.connections < least.connections ? worker : least),
      first,
    );
    chosen.connections += 1;
    // The worker owns the socket from now on; if the worker is gone, the client connects again.
    chosen.child.send({ kind: 'connection' }, socket, (error) => {
      if (error !== null) socket.destroy();
    });
  }

  /** Lets all workers read their watched files again. */
  checkFiles(): void {
    for (const { channel } of this.#workers.values()) channel.notify('checkFiles');
  }

  /** Reports to all workers, later ones included, that the store has the bootstrap roles. */
  reportRoles(): void {
    this.#areRolesStored = true;
    for (const { channel } of this.#workers.values()) channel.notify('rolesStored');
  }

  /** Completes the open requests of all workers within the grace period, and ends the workers. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const socket of this.#waiting) socket.destroy();
    const workers = [...this.#workers.values()];
    for (const { channel } of workers) channel.notify('stop');
    const ended = Promise.all(workers.map((worker) => worker.ended));
    const isOver = pause(graceMs + endMs, 'over', { ref: false });
    if ((await Promise.race([ended, isOver])) !== 'over') return;
    for (const { child } of workers) child.kill('SIGKILL');
    await ended;
  }

  #hold(socket: Socket): void {
    if (this.#isStopping || this.#waiting.size >= connectionLimits.waitingAtStart) {
      socket.destroy();
      return;
    }
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
  }

  #launch(number: number): void {
    const { command, clock, forward, objects } = this.#options;
    const child = spawn(command.file, [...command.args], {
      env: { ...command.env, [workerVariable]: String(number) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    const store = storeMethods(objects);
    const channel = openChannel<WorkerMethods>(
      (message) => {
        if (child.connected) child.send(message, () => {});
      },
      { ...store.methods, ...this.#methods(number) },
    );
    child.on('message', (message: ChannelMessage<never>) => channel.receive(message));
    forwardLines(child.stdout, forward.stdout);
    forwardLines(child.stderr, forward.stderr);
    const ended = new Promise<void>((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        channel.close('the worker has ended');
        store.close();
        this.#ended(number, { code, signal });
        resolve();
      };
      child.once('close', end);
      child.once('error', () => {
        if (child.pid === undefined) end(null, null);
      });
    });
    this.#workers.set(number, {
      number,
      child,
      channel,
      startedAt: clock.monotonic(),
      ended,
      isReady: false,
      connections: 0,
    });
  }

  #methods(number: number): Omit<PrimaryMethods, keyof SharedStoreMethods> {
    const { setup, fetch, onConfiguration } = this.#options;
    return {
      setup: () => setup(number),
      fetch: (request) => fetch(this.#workers.get(number)?.child.pid ?? number, request),
      metricsText: () => this.#metricsText(),
      findList: (place, revision) => this.#findList(number, place, revision),
      ready: (issuers) => this.#ready(number, issuers),
      connectionClosed: () => {
        const worker = this.#workers.get(number);
        if (worker !== undefined) worker.connections -= 1;
      },
      fileChanged: () => {
        for (const [other, { channel }] of this.#workers)
          if (other !== number) channel.notify('checkFiles');
      },
      configurationChanged: onConfiguration,
    };
  }

  #ready(number: number, issuers: number): void {
    const worker = this.#workers.get(number);
    if (worker === undefined) return;
    worker.isReady = true;
    this.#issuers = issuers;
    if (this.#areRolesStored) worker.channel.notify('rolesStored');
    for (const socket of [...this.#waiting]) {
      this.#waiting.delete(socket);
      this.pass(socket);
    }
    const areAllReady = [...this.#workers.values()].every(({ isReady }) => isReady);
    if (this.#hasStarted) {
      const { pid } = worker.child;
      this.#options.log.event('info', 'worker restarted', { worker: number, pid });
    } else if (areAllReady) {
      this.#hasStarted = true;
      this.#start.resolve({ kind: 'started', issuers: this.#issuers });
    }
  }

  #ended(number: number, end: { code: number | null; signal: NodeJS.Signals | null }): void {
    const worker = this.#workers.get(number);
    this.#workers.delete(number);
    this.#metrics.retire(number);
    if (this.#isStopping) return;
    if (!this.#hasStarted) {
      this.#start.resolve({ kind: 'failed', code: end.code ?? 1 });
      return;
    }
    const { clock, log } = this.#options;
    const delay = this.#delays.get(number) ?? growingDelay(minRestartMs, maxRestartMs);
    this.#delays.set(number, delay);
    if (clock.monotonic() - (worker?.startedAt ?? 0) >= stableMs) delay.reset();
    const restartMs = delay.next();
    const { code, signal } = end;
    const { pid } = worker?.child ?? {};
    const fields = { worker: number, pid, code, signal, restartMs };
    log.event('error', 'worker ended unexpectedly; it is started again', fields);
    clock.after(restartMs, () => {
      if (!this.#isStopping) this.#launch(number);
    });
  }

  #metricsText(): Promise<string> {
    const workers = [...this.#workers.values()].filter(({ isReady }) => isReady);
    return this.#metrics.text(
      this.#options.metrics,
      workers.map(({ number, channel }) => ({ number, read: () => channel.call('metrics') })),
    );
  }

  async #findList(number: number, place: string, revision: string) {
    const others = [...this.#workers.values()].filter((worker) => worker.number !== number);
    const lists = await Promise.all(
      others.map(({ channel }) => channel.call('findList', place, revision).catch(() => undefined)),
    );
    return lists.find((list) => list !== undefined);
  }
}

type SharedStoreMethods = ReturnType<typeof storeMethods>['methods'];

/** Characters of an unfinished line that are stored; a longer line is passed on in pieces. */
const maxLineCharacters = 1024 * 1024;

/** Passes whole lines of a stream on, so that lines of several workers do not mix. */
const forwardLines = (
  stream: NodeJS.ReadableStream | null,
  forward: (lines: string) => void,
): void => {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) {
      forward(rest + chunk.slice(0, end));
      rest = '';
    }
    rest += chunk.slice(end);
    if (rest.length <= maxLineCharacters) return;
    forward(rest);
    rest = '';
  });
  stream?.on('end', () => {
    if (rest !== '') forward(`${rest}\n`);
  });
};
