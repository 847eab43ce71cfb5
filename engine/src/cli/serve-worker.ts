/** The parts of `serve` that differ in a worker: what it gets from the primary process. */
import type { FlagProblem } from '../flags/flag.ts';
import type { NodeMetrics } from '../node/metrics.ts';
import type { ListSnapshots } from '../server/api/list-snapshots.ts';
import type { ReloadEvent } from '../server/configuration/reload.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import {
  type BoundPort,
  type PortReservation,
  type ReservedPort,
  reservePort,
} from '../server/reserve-port.ts';
import { divideLimits } from '../server/workers/divide-limits.ts';
import { workerVariable } from '../server/workers/worker-pool.ts';
import { joinPrimary, type WorkerProcess } from '../server/workers/worker-process.ts';
import type { Io } from './io.ts';
import type { ServedConfiguration } from './served-configuration.ts';

/** Connects this process to the primary process; `undefined` if it is not a worker. */
export const workerOf = async (
  { workers }: ServeOptions,
  io: Io,
): Promise<WorkerProcess | undefined> => {
  const isWorker =
    workers > 1 && io.variable(workerVariable) !== undefined && process.send !== undefined;
  return isWorker ? joinPrimary() : undefined;
};

/** Returns the options of a worker, with its part of the limits. */
export const optionsOfWorker = (options: ServeOptions, { setup }: WorkerProcess): ServeOptions => ({
  ...divideLimits(options, setup),
  workers: setup.workers,
  apiDomain: setup.apiDomain,
  loggingFormat: setup.logFormat,
  color: setup.isColored ? 'always' : 'never',
});

/** Returns the configuration of a worker: the one in service, whatever the file contains now. */
export const configurationOfWorker = (
  served: ServedConfiguration,
  worker: WorkerProcess | undefined,
): ServedConfiguration => {
  if (worker === undefined) return served;
  const configuration = served.kind === 'problem' ? served.rest : served;
  const { source } = configuration;
  const text = worker.setup.configuration;
  return {
    ...configuration,
    source: source.kind === 'file' ? { ...source, initial: text } : { ...source, text },
  };
};

export type Listening =
  | { readonly kind: 'reserved'; readonly isPrimary: true; readonly port: BoundPort }
  | { readonly kind: 'reserved'; readonly isPrimary: false; readonly port: ReservedPort }
  | Extract<PortReservation, { kind: 'failed' }>;

/** Binds the port, or uses that of the primary process; `undefined` if the flags are not valid. */
export const listeningOf = async (
  options: ServeOptions,
  {
    worker,
    contradictions,
  }: {
    readonly worker: WorkerProcess | undefined;
    readonly contradictions: readonly FlagProblem[];
  },
): Promise<Listening | undefined> => {
  if (worker !== undefined) return { kind: 'reserved', isPrimary: false, port: worker.port };
  if (contradictions.length > 0) return undefined;
  const reservation = await reservePort(options);
  if (reservation.kind === 'failed') return reservation;
  const { port } = reservation;
  return options.workers > 1
    ? { kind: 'reserved', isPrimary: true, port }
    : { kind: 'reserved', isPrimary: false, port };
};

/** Returns the metrics page of all processes, and lets the primary process read those of this one. */
export const metricsOfAll = (page: NodeMetrics, { call, answers }: WorkerProcess) => {
  answers.metrics = page.families;
  return { contentType: page.contentType, text: () => call('metricsText') };
};

/** Returns the settings of a server that only a worker has. */
export const workerSettings = ({ setup, call, answers }: WorkerProcess) => ({
  place: setup,
  findList: (place: string, revision: string) => call('findList', place, revision),
  onLists: (find: ListSnapshots['find']) => {
    answers.findList = find;
  },
  ...(setup.certificate === undefined ? {} : { certificate: setup.certificate }),
});

/** Reports a change of the configuration file, which the other workers then read too. */
export const reportToPrimary = (event: ReloadEvent, { notify }: WorkerProcess): void => {
  if (event.kind === 'reloaded') notify('configurationChanged', event.source.text);
  notify('fileChanged');
};
