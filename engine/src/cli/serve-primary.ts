/**
 * The primary process of `serve --workers`: it owns the port, the store, the controllers and the
 * requests to issuers; its workers serve the requests of clients.
 */
import { once } from 'node:events';
import { keyRefetchIntervalMs } from '../model/limits.ts';
import { secretFileWarnings } from '../node/file-modes.ts';
import type { ObjectServices } from '../server/objects/object-services.ts';
import { openObjects } from '../server/objects/open-objects.ts';
import { secretFilesOf } from '../server/objects/secret-files.ts';
import type { BoundPort } from '../server/reserve-port.ts';
import { selfSignedFor } from '../server/server.ts';
import { sharedFetches } from '../server/workers/shared-fetches.ts';
import { viewPositions } from '../server/workers/view-positions.ts';
import { memoryOfProcess } from '../server/workers/worker-memory.ts';
import { WorkerPool } from '../server/workers/worker-pool.ts';
import { wantsColor } from './color.ts';
import { type DecisionLog, openDecisionLog } from './decision-log.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { reportAdvice, reportReady, type ServeOutput } from './serve-log.ts';
import type { CheckedStart } from './serve-runtime.ts';
import { failStart } from './start-errors.ts';
import { workerCommand } from './worker-command.ts';

interface PrimaryStart extends CheckedStart {
  readonly port: BoundPort;
}

/** Runs the workers until the signal is aborted. */
export const runPrimary = async (start: PrimaryStart, output: ServeOutput): Promise<ExitCode> => {
  const { options, runtime, check, budget } = start;
  const { metrics, log, ports } = runtime;
  // Workers open a file themselves; only standard output is shared.
  const decisions = openDecisionLog(
    { decisionLog: options.decisionLog === '-' ? '-' : undefined },
    { metrics, maxBufferedCharacters: budget.logCharacters },
  );
  if (decisions.kind === 'failed') return failStart(decisions.reason, output);
  const selfSigned =
    options.tlsCertFile === undefined ? selfSignedFor(options, ports.clock.now()) : undefined;
  const opening = await openObjects(options, {
    ports,
    roleFiles: check.roleFiles,
    signer: check.signer,
    rootCertificate: Promise.resolve(check.rootCertificate ?? selfSigned?.authorityPem),
  });
  if (opening.kind === 'failed') return failStart(opening.error, output);
  const { objectServices } = opening;
  const looseFiles = await secretFileWarnings(secretFilesOf(options));
  for (const warning of [...options.warnings, ...looseFiles]) log.event('warn', warning);
  reportAdvice(check.loaded, output);
  const certificate = selfSigned && {
    certificatePem: selfSigned.certificatePem,
    privateKeyPem: selfSigned.privateKeyPem,
  };
  try {
    return await runWorkers(start, { objectServices, decisions, certificate }, output);
  } finally {
    await objectServices.close();
    decisions.log?.flush();
  }
};

interface PrimaryServices {
  readonly objectServices: ObjectServices;
  readonly decisions: Extract<DecisionLog, { kind: 'open' }>;
  readonly certificate:
    | { readonly certificatePem: string; readonly privateKeyPem: string }
    | undefined;
}

const runWorkers = async (
  { options, runtime, loading, check, signal, files, port }: PrimaryStart,
  { objectServices, decisions, certificate }: PrimaryServices,
  output: ServeOutput,
): Promise<ExitCode> => {
  const { log, ports, page } = runtime;
  const { store, view } = objectServices;
  const { workers } = options;
  const memoryBytes = memoryOfProcess(workers);
  // Connections wait until the workers are ready.
  const address = port.address();
  let configuration = check.loaded.source.text;
  const pool = new WorkerPool({
    workers,
    command: workerCommand(memoryBytes),
    setup: (worker) => ({
      worker,
      workers,
      memoryBytes,
      certificate,
      apiDomain: options.apiDomain,
      configuration,
      logFormat: output.format,
      isColored: wantsColor(options.color, output.io.stderr, output.io),
      deletesItself: store.requestDeletion !== undefined,
      address,
    }),
    objects: { store, view, positions: viewPositions(ports.clock) },
    fetch: sharedFetches({
      ...ports,
      reuseMs: options.jwksRefetch === 'throttled' ? keyRefetchIntervalMs : 0,
    }),
    metrics: () => page.families(),
    onConfiguration: (text) => {
      configuration = text;
    },
    forward: {
      stdout: (lines) => decisions.log?.forward(lines),
      stderr: (lines) => log.forward(lines),
    },
    clock: ports.clock,
    log,
  });
  const started = await Promise.race([pool.start(), once(signal, 'abort')]);
  if ('kind' in started && started.kind === 'failed') {
    await pool.stop(0);
    return started.code === 0 ? exitCodes.failed : exitCodeOf(started.code);
  }
  if ('kind' in started && !signal.aborted) {
    port.forwardTo((socket) => pool.pass(socket));
    void objectServices.ready(signal).then(() => pool.reportRoles());
    const host = address.address.includes(':') ? `[${address.address}]` : address.address;
    const url = `https://${host}:${address.port}`;
    const { configuration: source } = loading;
    reportReady({ configuration: source, url, issuers: started.issuers, workers }, output);
    files.checkNow = async () => {
      log.event('info', 'SIGHUP: reading the watched files again');
      pool.checkFiles();
    };
    if (!signal.aborted) await once(signal, 'abort');
  }
  delete files.checkNow;
  const closed = port.close();
  await pool.stop(options.shutdownGraceMs);
  await closed;
  return exitCodes.ok;
};

/** Returns the exit code of a worker that failed to start. */
const exitCodeOf = (code: number): ExitCode =>
  code === exitCodes.problems ? exitCodes.problems : exitCodes.failed;
