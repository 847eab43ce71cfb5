/** `authgraph serve`: runs the server with kube-apiserver's flags. */
import { once } from 'node:events';
import { secretFileWarnings } from '../../node/file-modes.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { checkStart } from '../../server/check-start.ts';
import { startLoaded } from '../../server/configuration/serving.ts';
import { authenticatorProblems } from '../../server/flags/authenticator-problems.ts';
import { readServeOptions, type ServeOptions } from '../../server/flags/options.ts';
import { serveFlags } from '../../server/flags/serve-flags.ts';
import { collectGarbage } from '../../server/memory/collect-garbage.ts';
import { processBudget } from '../../server/memory/process-budget.ts';
import { authoritiesProblem } from '../../server/modules/load-modules.ts';
import type { ObjectServices } from '../../server/objects/object-services.ts';
import {
  type ObjectsOpening,
  openObjects,
  openWorkerObjects,
} from '../../server/objects/open-objects.ts';
import { secretFilesOf } from '../../server/objects/secret-files.ts';
import type { TokenIssuing } from '../../server/objects/token-issuing.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import { memoryOfProcess } from '../../server/workers/worker-memory.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { type Command, endMisused, printCommandHelp, untilEnd } from '../command.ts';
import {
  type DecisionClaims,
  decisionClaimsOf,
  decisionClaimsProblem,
} from '../decision-claims.ts';
import { type DecisionLog, decisionLogProblem, openDecisionLog } from '../decision-log.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  logFormatOf,
  reportAdvice,
  reportReady,
  reportReload,
  type ServeOutput,
} from '../serve-log.ts';
import {
  type CheckedStart,
  closeRuntime,
  loadOptionsOf,
  runtimeOf,
  type WatchedFiles,
} from '../serve-runtime.ts';
import {
  configurationOfWorker,
  listeningOf,
  metricsOfAll,
  optionsOfWorker,
  reportToPrimary,
  workerOf,
  workerSettings,
} from '../serve-worker.ts';
import { servedConfiguration } from '../served-configuration.ts';
import { failStart, problemOf, reportStartErrors, type StartErrors } from '../start-errors.ts';

/** The flags of a first start, and those that most servers have. */
const essentialFlags: readonly string[] = [
  'authentication-config',
  'oidc-issuer-url',
  'oidc-client-id',
  'client-ca-file',
  'token-auth-file',
  'target-version',
  'rbac-file',
  'store-path',
  'bind-address',
  'secure-port',
  'tls-cert-file',
  'tls-private-key-file',
  'token-review-open',
  'webhook-path',
  'decision-log',
  'logging-format',
  'log-level',
];

export const serve: Command = {
  name: 'serve',
  usage: '[flags]',
  about:
    'Serves SelfSubjectReview and TokenReview over HTTPS, with the decisions of kube-apiserver for the same flags and file. The file is reloaded when it changes and on SIGHUP; an invalid file is not loaded. Ctrl-C or SIGTERM stops the server after open requests have completed.',
  flags: serveFlags,
  essentialFlags,
  examples: [
    {
      line: 'authgraph serve -c auth.yaml',
      does: 'on port 6443 with a self-signed certificate',
    },
    {
      line: 'authgraph serve --oidc-issuer-url https://issuer.example --oidc-client-id app',
      does: 'one issuer, configured by flags',
    },
    {
      line: 'authgraph serve -c auth.yaml --token-review-open group:ops --decision-log -',
      does: 'members of ops may create TokenReviews; decisions on standard output',
    },
    {
      line: 'authgraph serve -c auth.yaml --logging-format json 2> authgraph.log',
      does: 'a log of JSON objects, including startup errors',
    },
  ],
  run: (args, io) => untilEnd(runServe(args, io)),
};

const runServe = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const reading = readServeOptions(args);
  if (reading.kind === 'help') return printCommandHelp(serve, reading.topic, io);
  const contradictions = reading.kind === 'problems' ? reading.problems : [];
  if (reading.options === undefined) return endMisused(serve, contradictions, io);
  const worker = await workerOf(reading.options, io);
  const processOptions =
    worker === undefined ? reading.options : optionsOfWorker(reading.options, worker);
  // Read first, so that a signal cannot leave anything behind.
  const signal = worker?.signal ?? io.signal;
  const budget = worker?.budget ?? processBudget(memoryOfProcess(processOptions.workers));
  const format = logFormatOf(processOptions, io);
  const runtime = await runtimeOf(processOptions, { budget, format, io, worker });
  const { log, telemetry } = runtime;
  io.onProcessNotice((notice) => log.event('warn', notice));
  const files: WatchedFiles = {};
  if (worker === undefined) io.onHangup(() => void files.checkNow?.());
  else worker.answers.checkFiles = () => void files.checkNow?.();
  const listening = await listeningOf(processOptions, { worker, contradictions });
  const served = configurationOfWorker(await servedConfiguration(processOptions, io), worker);
  const configuration = served.kind === 'problem' ? served.rest : served;
  // The API domain is fixed until the server ends.
  const options = { ...processOptions, apiDomain: configuration.settings.apiDomain };
  const loading = loadOptionsOf(options, configuration, { ...runtime, budget });
  const check = await checkStart(options, loading);
  const startErrors: StartErrors = {
    flags: [...contradictions, ...problemOf(await authoritiesProblem(options.modules))],
    others: [
      ...(listening?.kind === 'failed' ? [listening.problem] : []),
      ...authenticatorProblems(options),
      ...(telemetry.kind === 'failed' ? [telemetry] : []),
      ...(served.kind === 'problem' ? served.problems : []),
      ...problemOf(await decisionLogProblem(options)),
      ...problemOf(await decisionClaimsProblem(options)),
    ],
    loading: check.kind === 'failed' ? check.problems : [],
  };
  const hasProblems = startErrors.flags.length + startErrors.others.length > 0;
  if (check.kind === 'failed' || hasProblems || listening?.kind !== 'reserved') {
    if (listening?.kind === 'reserved') await listening.port.close();
    await closeRuntime(runtime);
    worker?.leave();
    return reportStartErrors(startErrors, { command: serve, configuration, options, io });
  }
  const { port } = listening;
  const start = { options, runtime, loading, check, signal, files, budget, port, worker };
  try {
    if (listening.isPrimary) {
      const { runPrimary } = await import('../serve-primary.ts');
      return await runPrimary({ ...start, port: listening.port }, { options, format, io, log });
    }
    return await runServer(start, { options, format, io, log });
  } finally {
    await port.close();
    await closeRuntime(runtime);
    worker?.leave();
  }
};

const runServer = async (start: CheckedStart, output: ServeOutput): Promise<ExitCode> => {
  const { options, runtime, check, budget, worker } = start;
  const { metrics, log, ports } = runtime;
  const decisions = openDecisionLog(options, {
    metrics,
    maxBufferedCharacters: budget.logCharacters,
  });
  const { loggingFormat: format } = options;
  if (decisions.kind === 'failed') return failStart(decisions.reason, { format, io: output.io });
  const claims = await decisionClaimsOf(options);
  if (claims.kind === 'failed') return failStart(claims.reason, { format, io: output.io });
  const rootCertificate = Promise.withResolvers<string | undefined>();
  const { roleFiles, signer } = check;
  const sources = { ports, roleFiles, signer, rootCertificate: rootCertificate.promise };
  const opening: ObjectsOpening =
    worker === undefined
      ? await openObjects(options, sources)
      : { kind: 'open', objectServices: openWorkerObjects(options, sources, worker) };
  if (opening.kind === 'failed') return failStart(opening.error, { format, io: output.io });
  const { objectServices } = opening;
  // The primary process has logged them for all its workers.
  const looseFiles = worker === undefined ? await secretFileWarnings(secretFilesOf(options)) : [];
  const warnings = worker === undefined ? [...options.warnings, ...looseFiles] : [];
  for (const warning of warnings) log.event('warn', warning);
  try {
    const opened = { objectServices, decisions, claims, rootCertificate };
    return await serveRequests(start, opened, output);
  } finally {
    await objectServices.close();
    decisions.log?.flush();
  }
};

interface OpenedServices {
  readonly objectServices: ObjectServices;
  readonly decisions: Extract<DecisionLog, { kind: 'open' }>;
  readonly claims: Extract<DecisionClaims, { kind: 'ready' }>;
  readonly rootCertificate: PromiseWithResolvers<string | undefined>;
}

/** Serves requests until the signal is aborted. */
const serveRequests = async (
  { options, runtime, loading, check, signal, files, budget, port, worker }: CheckedStart,
  { objectServices, decisions, claims, rootCertificate }: OpenedServices,
  output: ServeOutput,
): Promise<ExitCode> => {
  const { page, log, ports, tracing } = runtime;
  const { serving, source, diagnostics } = startLoaded(check.loaded, {
    ...loading,
    modules: {
      ...loading.modules,
      objects: objectServices.view,
      store: objectServices.store,
      logsWarnings: (worker?.setup.worker ?? 1) === 1,
    },
    report(event) {
      if (worker === undefined || worker.setup.worker === 1) reportReload(event, output);
      if (worker !== undefined) reportToPrimary(event, worker);
    },
  });
  if (worker === undefined) reportAdvice({ source, diagnostics }, output);
  let server: RunningServer;
  try {
    server = await startServer({
      options,
      holder: serving.holder,
      ports,
      objectServices,
      issuing: issuingOf(options, check.signer, serving.modules?.accountKeys),
      authorities: serving.authorities,
      proxyHeaders: serving.modules?.proxyHeaders,
      metricsText: worker === undefined ? page : metricsOfAll(page, worker),
      tracing,
      budget,
      reservedPort: port,
      ...(worker === undefined ? {} : workerSettings(worker)),
      ...(decisions.log === undefined
        ? {}
        : { decisionLog: decisions.log, decisionClaims: claims.options }),
    });
  } catch (cause) {
    await serving.close();
    return failStart(cause instanceof Error ? cause.message : String(cause), output);
  }
  rootCertificate.resolve(check.rootCertificate ?? server.authorityPem);
  const issuers = serving.graph().nodes.length;
  if (worker !== undefined) await worker.call('ready', issuers);
  else reportReady({ configuration: loading.configuration, url: server.url, issuers }, output);
  files.checkNow = async () => {
    if (worker === undefined) log.event('info', 'SIGHUP: reading the watched files again');
    await Promise.all([serving.reload?.checkNow(), server.checkFiles()]);
  };
  const stopCollecting = collectGarbage(budget);
  if (!signal.aborted) await once(signal, 'abort');
  delete files.checkNow;
  await server.close(options.shutdownGraceMs);
  stopCollecting();
  await serving.close();
  return exitCodes.ok;
};

/**
 * Returns the settings of token issuing; `undefined` without a key that verifies service account
 * tokens.
 */
const issuingOf = (
  { modules }: ServeOptions,
  signer: TokenSigner | undefined,
  keys: AccountKeys | undefined,
): TokenIssuing | undefined =>
  keys === undefined ? undefined : { settings: modules.serviceAccounts, signer, keys };
