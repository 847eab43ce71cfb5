/** `authgraph serve`: runs the server with kube-apiserver's flags. */
import { once } from 'node:events';
import { keySetMetricsGate } from '../../model/feature-gates.ts';
import { productVersion } from '../../model/product-version.ts';
import { secretFileWarnings } from '../../node/file-modes.ts';
import { nodeKeyCache } from '../../node/key-cache.ts';
import { type LogFormat, nodeLog } from '../../node/log.ts';
import { nodeMetrics } from '../../node/metrics.ts';
import { nodePorts } from '../../node/ports.ts';
import { openTelemetry } from '../../node/telemetry/open-telemetry.ts';
import { bothMetrics } from '../../node/telemetry/otel-metrics.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { checkStart, type StartCheck } from '../../server/check-start.ts';
import { startLoaded } from '../../server/configuration/serving.ts';
import { authenticatorProblems } from '../../server/flags/authenticator-problems.ts';
import { readServeOptions, type ServeOptions } from '../../server/flags/options.ts';
import { serveFlags } from '../../server/flags/serve-flags.ts';
import { collectGarbage } from '../../server/memory/collect-garbage.ts';
import type { MemoryBudget } from '../../server/memory/memory-budget.ts';
import { processBudget } from '../../server/memory/process-budget.ts';
import { authoritiesProblem } from '../../server/modules/load-modules.ts';
import type { ObjectServices } from '../../server/objects/object-services.ts';
import { openObjects } from '../../server/objects/open-objects.ts';
import { secretFilesOf } from '../../server/objects/secret-files.ts';
import type { TokenIssuing } from '../../server/objects/token-issuing.ts';
import { type ReservedPort, reservePort } from '../../server/reserve-port.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import { traceHttp } from '../../server/tracing/trace-http.ts';
import { traceAuthenticator } from '../../server/tracing/trace-requests.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { type Command, endMisused, printCommandHelp, untilEnd } from '../command.ts';
import { type DecisionLog, decisionLogProblem, openDecisionLog } from '../decision-log.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  logFormatOf,
  reportAdvice,
  reportReady,
  reportReload,
  type ServeOutput,
  withoutDiagnostics,
} from '../serve-log.ts';
import { type ServedConfiguration, servedConfiguration } from '../served-configuration.ts';
import { failStart, problemOf, reportStartErrors, type StartErrors } from '../start-errors.ts';

type Configuration = Extract<ServedConfiguration, { kind: 'configuration' }>;

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
      does: 'a log of JSON objects, errors at the start included',
    },
  ],
  run: (args, io) => untilEnd(runServe(args, io)),
};

const runServe = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const reading = readServeOptions(args);
  if (reading.kind === 'help') return printCommandHelp(serve, reading.topic, io);
  const contradictions = reading.kind === 'problems' ? reading.problems : [];
  if (reading.options === undefined) return endMisused(serve, contradictions, io);
  // Read first, so that a signal cannot leave anything behind.
  const { signal } = io;
  const budget = processBudget();
  const format = logFormatOf(reading.options, io);
  const runtime = await runtimeOf(reading.options, { budget, format, io });
  const { log, telemetry } = runtime;
  io.onProcessNotice((notice) => log.event('warn', notice));
  const files: WatchedFiles = {};
  io.onHangup(() => void files.checkNow?.());
  const listening = contradictions.length === 0 ? await reservePort(reading.options) : undefined;
  const served = await servedConfiguration(reading.options, io);
  const configuration = served.kind === 'problem' ? served.rest : served;
  // The API domain is fixed until the server ends.
  const options = { ...reading.options, apiDomain: configuration.settings.apiDomain };
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
    ],
    loading: check.kind === 'failed' ? check.problems : [],
  };
  const hasProblems = startErrors.flags.length + startErrors.others.length > 0;
  if (check.kind === 'failed' || hasProblems || listening?.kind !== 'reserved') {
    if (listening?.kind === 'reserved') await listening.port.close();
    await closeRuntime(runtime);
    return reportStartErrors(startErrors, { command: serve, configuration, options, io });
  }
  const { port } = listening;
  const start = { options, runtime, loading, check, signal, files, budget, port };
  try {
    return await runServer(start, { options, format, io, log });
  } finally {
    await port.close();
    await closeRuntime(runtime);
  }
};

interface RuntimeSettings {
  readonly budget: MemoryBudget;
  readonly format: LogFormat;
  readonly io: Io;
}

/** Creates the metrics, the log, the ports and the export of traces and metrics. */
const runtimeOf = async (
  { logLevel: level, jwksCacheDir: directory }: ServeOptions,
  { budget, format, io }: RuntimeSettings,
) => {
  const lines = nodeLog({ level, format, maxBufferedCharacters: budget.logCharacters });
  const log = format === 'text' ? withoutDiagnostics(lines) : lines;
  const telemetry = await openTelemetry({ variable: io.variable, version: productVersion, log });
  const exported = telemetry.kind === 'open' ? telemetry.telemetry : undefined;
  const page = nodeMetrics();
  const metrics = exported?.metrics ? bothMetrics(page, exported.metrics) : page;
  const keyCache = directory === undefined ? undefined : nodeKeyCache({ directory, log });
  const ports = nodePorts({ log, metrics, ...(keyCache === undefined ? {} : { keyCache }) });
  const tracing = exported?.tracing;
  return {
    page,
    metrics,
    log,
    telemetry,
    tracing,
    ports: tracing ? { ...ports, http: traceHttp(ports.http, tracing) } : ports,
  };
};

type Runtime = Awaited<ReturnType<typeof runtimeOf>>;

const closeRuntime = async ({ ports, telemetry, log }: Runtime): Promise<void> => {
  await ports.http.close();
  if (telemetry.kind === 'open') await telemetry.telemetry.close();
  log.flush();
};

const loadOptionsOf = (
  options: ServeOptions,
  { source, settings }: Configuration,
  { ports, tracing, budget }: Pick<Runtime, 'ports' | 'tracing'> & Pick<RuntimeSettings, 'budget'>,
) => ({
  configuration: source,
  settings,
  ports,
  link: {
    mode: 'product' as const,
    jwksRefetch: options.jwksRefetch,
    keySetMetrics: options.featureGates.get(keySetMetricsGate) ?? true,
    apiAudiences: options.apiAudiences,
    cacheLimits: budget,
    wrapAuthenticator: tracing && traceAuthenticator(tracing),
  },
  modules: { settings: options.modules },
});

interface CheckedStart {
  readonly options: ServeOptions;
  readonly runtime: Runtime;
  readonly loading: ReturnType<typeof loadOptionsOf>;
  readonly check: Extract<StartCheck, { kind: 'good' }>;
  readonly signal: AbortSignal;
  readonly files: WatchedFiles;
  readonly budget: MemoryBudget;
  readonly port: ReservedPort;
}

/** The files that the server watches. */
interface WatchedFiles {
  /** Reads all files again; absent before the server runs, which reads them anyway. */
  checkNow?: () => Promise<void>;
}

const runServer = async (start: CheckedStart, output: ServeOutput): Promise<ExitCode> => {
  const { options, runtime, check, budget } = start;
  const { metrics, log, ports } = runtime;
  const decisions = openDecisionLog(options, {
    metrics,
    maxBufferedCharacters: budget.logCharacters,
  });
  const { loggingFormat: format } = options;
  if (decisions.kind === 'failed') return failStart(decisions.reason, { format, io: output.io });
  const rootCertificate = Promise.withResolvers<string | undefined>();
  const opening = await openObjects(options, {
    ports,
    roleFiles: check.roleFiles,
    signer: check.signer,
    rootCertificate: rootCertificate.promise,
  });
  if (opening.kind === 'failed') return failStart(opening.error, { format, io: output.io });
  const { objectServices } = opening;
  const looseFiles = await secretFileWarnings(secretFilesOf(options));
  for (const warning of [...options.warnings, ...looseFiles]) log.event('warn', warning);
  try {
    return await serveRequests(start, { objectServices, decisions, rootCertificate }, output);
  } finally {
    await objectServices.close();
    decisions.log?.flush();
  }
};

interface OpenedServices {
  readonly objectServices: ObjectServices;
  readonly decisions: Extract<DecisionLog, { kind: 'open' }>;
  readonly rootCertificate: PromiseWithResolvers<string | undefined>;
}

/** Serves requests until the signal is aborted. */
const serveRequests = async (
  { options, runtime, loading, check, signal, files, budget, port }: CheckedStart,
  { objectServices, decisions, rootCertificate }: OpenedServices,
  output: ServeOutput,
): Promise<ExitCode> => {
  const { page, log, ports, tracing } = runtime;
  const { serving, source, diagnostics } = startLoaded(check.loaded, {
    ...loading,
    modules: { ...loading.modules, objects: objectServices.view, store: objectServices.store },
    report: (event) => reportReload(event, output),
  });
  reportAdvice({ source, diagnostics }, output);
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
      metricsText: page,
      tracing,
      budget,
      reservedPort: port,
      ...(decisions.log === undefined ? {} : { decisionLog: decisions.log }),
    });
  } catch (cause) {
    await serving.close();
    return failStart(cause instanceof Error ? cause.message : String(cause), output);
  }
  rootCertificate.resolve(check.rootCertificate ?? server.authorityPem);
  const issuers = serving.graph().nodes.length;
  reportReady({ configuration: loading.configuration, url: server.url, issuers }, output);
  files.checkNow = async () => {
    log.event('info', 'SIGHUP: reading the watched files again');
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
