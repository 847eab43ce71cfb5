/**
 * This process as a worker: its connection to the primary process, from which it gets its
 * connections, its part of the limits, the store and the documents of issuers.
 */
import { type Server as NetServer, Socket } from 'node:net';
import type { MetricFamily } from '../../node/metrics.ts';
import type { HttpClient } from '../../ports/http-client.ts';
import type { Log } from '../../ports/log.ts';
import type { ObjectList, Store } from '../../ports/store.ts';
import { connectionLimits } from '../limits.ts';
import type { MemoryBudget } from '../memory/memory-budget.ts';
import { processBudget } from '../memory/process-budget.ts';
import type { ReservedPort } from '../reserve-port.ts';
import { type Call, type ChannelMessage, type Notify, openChannel } from './channel.ts';
import { partOf } from './divide-limits.ts';
import type { PrimaryMethods, WorkerMethods, WorkerSetup } from './methods.ts';
import { primaryStore } from './primary-store.ts';

export interface WorkerProcess {
  readonly setup: WorkerSetup;
  readonly budget: MemoryBudget;
  readonly call: Call<PrimaryMethods>;
  readonly notify: Notify<PrimaryMethods>;
  /** Aborted when the worker has to end. */
  readonly signal: AbortSignal;
  /** The port that the primary process listens on. */
  readonly port: ReservedPort;
  /** The store for requests, and the one that the local view follows. */
  readonly store: Store;
  readonly viewStore: Store;
  /** Resolves once the store has the bootstrap roles. */
  readonly rolesStored: Promise<void>;
  /** Functions that answer the primary process; set once the server runs. */
  readonly answers: WorkerAnswers;
  /** Lets the process end. */
  leave(): void;
}

interface WorkerAnswers {
  checkFiles?: () => void;
  metrics?: () => Promise<readonly MetricFamily[]>;
  findList?: (place: string, revision: string) => ObjectList | undefined;
}

/** Signals that the primary process handles; a terminal sends them to all processes. */
const ignoredSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Connects to the primary process. Must be called in a process that a `WorkerPool` started. */
export const joinPrimary = async (): Promise<WorkerProcess> => {
  for (const name of ignoredSignals) process.on(name, () => {});
  const stopping = new AbortController();
  const roles = Promise.withResolvers<void>();
  const answers: WorkerAnswers = {};
  const methods: WorkerMethods = {
    metrics: async () => (await answers.metrics?.()) ?? [],
    findList: (place, revision) => answers.findList?.(place, revision),
    checkFiles: () => answers.checkFiles?.(),
    rolesStored: () => roles.resolve(),
    stop: () => stopping.abort(),
  };
  const channel = openChannel<PrimaryMethods>((message) => {
    // A channel that is closed ends the process.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }, methods);
  const { call, notify } = channel;
  const port = connectionPort(() => notify('connectionClosed'));
  process.on('message', (message: ChannelMessage<never> | { kind: 'connection' }, socket) => {
    if (message.kind !== 'connection') channel.receive(message);
    else port.accept(socket instanceof Socket ? socket : undefined);
  });
  const leave = (): void => {
    process.removeListener('disconnect', endAtOnce);
    if (process.connected) process.disconnect?.();
  };
  // Without the primary process there is no store, so nothing may be authenticated any more.
  const endAtOnce = (): void => process.exit(1);
  process.on('disconnect', endAtOnce);
  const setup = await call('setup');
  const { deletesItself } = setup;
  return {
    setup,
    budget: workerBudget(setup),
    call,
    notify,
    signal: stopping.signal,
    port: port.reserved(setup),
    store: primaryStore(channel, { isForView: false, deletesItself }),
    viewStore: primaryStore(channel, { isForView: true, deletesItself }),
    rolesStored: roles.promise,
    answers,
    leave,
  };
};

/** Returns the memory budget of a worker, whose number of connections is also divided. */
const workerBudget = (setup: WorkerSetup): MemoryBudget => {
  const budget = processBudget(setup.memoryBytes);
  const connections = Math.min(budget.connections, partOf(connectionLimits.connections, setup));
  return { ...budget, connections };
};

/** Collects the connections that the primary process passes on, for the server. */
const connectionPort = (onClosed: () => void) => {
  let server: NetServer | undefined;
  const waiting = new Set<Socket>();
  return {
    /** Accepts a connection that the primary process passed on; absent if it was closed on the way. */
    accept(socket: Socket | undefined): void {
      if (socket === undefined) {
        onClosed();
        return;
      }
      socket.once('close', onClosed);
      if (server !== undefined) server.emit('connection', socket);
      else waiting.add(socket);
    },
    reserved: ({ address }: WorkerSetup): ReservedPort => ({
      async handTo(next) {
        server = next;
        for (const socket of waiting) next.emit('connection', socket);
        waiting.clear();
        return address;
      },
      async close() {
        for (const socket of waiting) socket.destroy();
      },
    }),
  };
};

/** Returns an HTTP client that requests documents of issuers through the primary process. */
export const throughPrimary = <Client extends HttpClient>(
  http: Client,
  call: Call<PrimaryMethods>,
): Client => ({
  ...http,
  // A distributed claim is requested for one token, and with its credential.
  get: ({ signal, ...request }) =>
    request.purpose === 'discovery document' || request.purpose === 'key set'
      ? call('fetch', request)
      : http.get({ ...request, ...(signal === undefined ? {} : { signal }) }),
});

/** Returns a log whose events name the worker. */
export const workerLog = <WorkerLog extends Log>(log: WorkerLog, worker: number): WorkerLog => ({
  ...log,
  event: (level, message, fields) => log.event(level, message, { ...fields, worker }),
});
