/** `authgraph serve`: runs the server with kube-apiserver's flags. */
import { once } from 'node:events';
import { toPrintable } from '../../diagnostics/printable.ts';
import { renderText } from '../../diagnostics/render.ts';
import type { FlagProblem } from '../../flags/flag.ts';
import { keySetMetricsGate } from '../../model/feature-gates.ts';
import { secretFileWarnings } from '../../node/file-modes.ts';
import { nodeKeyCache } from '../../node/key-cache.ts';
import { nodeLog } from '../../node/log.ts';
import { nodeMetrics } from '../../node/metrics.ts';
import { nodePorts } from '../../node/ports.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { checkStart, type StartCheck } from '../../server/check-start.ts';
import type { ReloadEvent } from '../../server/configuration/reload.ts';
import { type LoadProblem, startLoaded } from '../../server/configuration/serving.ts';
import { readServeOptions, type ServeOptions } from '../../server/flags/options.ts';
import { serveFlags } from '../../server/flags/serve-flags.ts';
import { collectGarbage } from '../../server/memory/collect-garbage.ts';
import type { MemoryBudget } from '../../server/memory/memory-budget.ts';
import { processBudget } from '../../server/memory/process-budget.ts';
import { authoritiesProblem } from '../../server/modules/load-modules.ts';
import { openObjects } from '../../server/objects/open-objects.ts';
import { secretFilesOf } from '../../server/objects/secret-files.ts';
import type { TokenIssuing } from '../../server/objects/token-issuing.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { wantsColor } from '../color.ts';
import { type Command, endMisused, fail, printError, untilEnd } from '../command.ts';
import { decisionLogProblem, openDecisionLog } from '../decision-log.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type ServedConfiguration, servedConfiguration } from '../served-configuration.ts';
import { version } from '../version.ts';

type Configuration = Extract<ServedConfiguration, { kind: 'configuration' }>;

export const serve: Command = {
  name: 'serve',
  usage: '[flags]',
  about:
    'Serves SelfSubjectReview and TokenReview over HTTPS, with the decisions of kube-apiserver for the same flags and file. The file is reloaded when it changes and on SIGHUP; an invalid file is not loaded. Ctrl-C or SIGTERM stops the server after open requests have completed.',
  flags: serveFlags,
  examples: [
    {
      line: 'authgraph serve --authentication-config auth.yaml',
      does: 'on port 6443 with a self-signed certificate',
    },
    {
      line: 'authgraph serve --oidc-issuer-url https://issuer.example --oidc-client-id app',
      does: 'one issuer, configured by flags',
    },
    {
      line: 'authgraph serve --authentication-config auth.yaml --token-review-open group:ops --decision-log -',
      does: 'members of ops may create TokenReviews; decisions on standard output',
    },
  ],
  run: (args, io) => untilEnd(runServe(args, io)),
};

const runServe = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const reading = readServeOptions(args);
  if (reading.kind === 'help') {
    const { commandHelp } = await import('../help.ts');
    io.stdout.write(commandHelp(serve));
    return exitCodes.ok;
  }
  const contradictions = reading.kind === 'problems' ? reading.problems : [];
  if (reading.options === undefined) return endMisused(serve, contradictions, io);
  // Read first, so that a signal cannot leave anything behind.
  const { signal } = io;
  io.ignoreInspectorSignal();
  const files: WatchedFiles = {};
  io.onHangup(() => void files.checkNow?.());
  const served = await servedConfiguration(reading.options, io);
  const configuration = served.kind === 'problem' ? served.rest : served;
  // The API domain is fixed until the server ends.
  const options = { ...reading.options, apiDomain: configuration.settings.apiDomain };
  const budget = processBudget();
  const runtime = runtimeOf(options, budget);
  const { ports } = runtime;
  const loading = loadOptionsOf(options, configuration, { ports, budget });
  const check = await checkStart(options, loading);
  const overlap = await authoritiesProblem(options.modules);
  const log = await decisionLogProblem(options);
  const startErrors: StartErrors = {
    flags: [...contradictions, ...problemOf(overlap)],
    others: [...(served.kind === 'problem' ? served.problems : []), ...problemOf(log)],
    loading: check.kind === 'failed' ? check.problems : [],
  };
  if (check.kind === 'failed' || startErrors.flags.length + startErrors.others.length > 0) {
    await ports.http.close();
    return reportStartErrors(startErrors, { configuration, options, io });
  }
  return runServer({ options, runtime, loading, check, signal, files, budget }, io);
};

/** Creates the metrics, the log and the ports of the server. */
const runtimeOf = (
  { logLevel, jwksCacheDir: directory }: ServeOptions,
  { logCharacters: maxBufferedCharacters }: MemoryBudget,
) => {
  const metrics = nodeMetrics();
  const log = nodeLog({ level: logLevel, maxBufferedCharacters });
  const keyCache = directory === undefined ? undefined : nodeKeyCache({ directory, log });
  const ports = nodePorts({ log, metrics, ...(keyCache === undefined ? {} : { keyCache }) });
  return { metrics, log, ports };
};

const loadOptionsOf = (
  options: ServeOptions,
  { source, settings }: Configuration,
  { ports, budget }: { readonly ports: Ports; readonly budget: MemoryBudget },
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
  },
  modules: { settings: options.modules },
});

interface CheckedStart {
  readonly options: ServeOptions;
  readonly runtime: ReturnType<typeof runtimeOf>;
  readonly loading: ReturnType<typeof loadOptionsOf>;
  readonly check: Extract<StartCheck, { kind: 'good' }>;
  readonly signal: AbortSignal;
  readonly files: WatchedFiles;
  readonly budget: MemoryBudget;
}

/** The files that the server watches. */
interface WatchedFiles {
  /** Reads all files again; absent before the server runs, which reads them anyway. */
  checkNow?: () => Promise<void>;
}

const runServer = async (
  { options, runtime, loading, check, signal, files, budget }: CheckedStart,
  io: Io,
): Promise<ExitCode> => {
  const { metrics, log, ports } = runtime;
  const decisions = openDecisionLog(options, {
    metrics,
    maxBufferedCharacters: budget.logCharacters,
  });
  if (decisions.kind === 'failed') {
    await ports.http.close();
    return fail(io, decisions.reason);
  }
  const rootCertificate = Promise.withResolvers<string | undefined>();
  const opening = await openObjects(options, {
    ports,
    roleFiles: check.roleFiles,
    signer: check.signer,
    rootCertificate: rootCertificate.promise,
  });
  if (opening.kind === 'failed') {
    await ports.http.close();
    return fail(io, opening.error);
  }
  const { objectServices } = opening;
  const looseFiles = await secretFileWarnings(secretFilesOf(options));
  for (const warning of [...options.warnings, ...looseFiles]) log.event('warn', warning);
  try {
    const { serving, source, diagnostics } = startLoaded(check.loaded, {
      ...loading,
      modules: { ...loading.modules, objects: objectServices.view, store: objectServices.store },
      report: (event) => reportReload(event, options, io),
    });
    io.stderr.write(renderText([{ source, diagnostics }], textOptions(options, io)));
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
        metricsText: metrics,
        budget,
        productVersion: version,
        ...(decisions.log === undefined ? {} : { decisionLog: decisions.log }),
      });
    } catch (cause) {
      await serving.close();
      return fail(io, cause instanceof Error ? cause.message : String(cause));
    }
    rootCertificate.resolve(check.rootCertificate ?? server.authorityPem);
    io.stdout.write(
      `authgraph serves ${toPrintable(source.uri)} on ${server.url} (${plural(serving.graph().nodes.length)})\n`,
    );
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
  } finally {
    await objectServices.close();
    await ports.http.close();
    decisions.log?.flush();
    log.flush();
  }
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

const reportReload = (event: ReloadEvent, options: ServeOptions, io: Io): void => {
  const print = (text: string): void => io.stderr.write(`${text}\n`);
  const stillServing = 'the last valid configuration stays in service';
  switch (event.kind) {
    case 'reloaded':
      io.stderr.write(renderText([event], textOptions(options, io)));
      print(`reloaded ${toPrintable(event.source.uri)}`);
      return;
    case 'refused':
      io.stderr.write(renderText([event], textOptions(options, io)));
      print(`not reloaded ${toPrintable(event.source.uri)}: ${stillServing}`);
      return;
    case 'waiting':
      print(`waiting up to a minute for issuers: ${toPrintable(event.reasons.join('; '))}`);
      return;
    case 'unhealthy':
      print(`not reloaded: ${toPrintable(event.reasons.join('; '))}; ${stillServing}`);
      return;
    case 'unreadable':
      print(`not reloaded: ${toPrintable(event.reason)}; ${stillServing}`);
      return;
    case 'restored':
      print('the file contains the active configuration again');
  }
};

/** The errors that prevent the start. */
interface StartErrors {
  /** Contradictory flags, which are reported with the usage line. */
  readonly flags: readonly FlagProblem[];
  readonly others: readonly FlagProblem[];
  readonly loading: readonly LoadProblem[];
}

const problemOf = (message: string | undefined): readonly FlagProblem[] =>
  message === undefined ? [] : [{ message, help: '' }];

const reportStartErrors = async (
  { flags, others, loading }: StartErrors,
  {
    configuration,
    options,
    io,
  }: {
    readonly configuration: Configuration;
    readonly options: ServeOptions;
    readonly io: Io;
  },
): Promise<ExitCode> => {
  const { loadErrorText } = await import('../load-error-text.ts');
  const refused = loading.filter((problem) => problem.kind === 'refused');
  for (const problem of refused) {
    io.stderr.write(renderText([problem], textOptions(options, io)));
  }
  const textOf = (problem: LoadProblem): string => {
    switch (problem.kind) {
      case 'unusable':
        return problem.error;
      case 'unreadable':
        return `${loadPrefix(configuration)}${problem.reason}`;
      case 'refused':
        return loadErrorText(problem, configuration);
    }
  };
  const flagProblemOf = (problem: LoadProblem): FlagProblem => ({
    message: textOf(problem),
    help: problem.kind === 'unusable' ? (problem.help ?? '') : '',
  });
  const reported = [...flags, ...others, ...loading.map(flagProblemOf)];
  // Several flags may name the same file.
  const problems = [...new Map(reported.map((problem) => [problem.message, problem])).values()];
  if (flags.length > 0) return endMisused(serve, problems, io);
  for (const { message, help } of problems) printError(io, message, help);
  return refused.length === reported.length ? exitCodes.problems : exitCodes.failed;
};

const loadPrefix = ({ source }: Configuration): string =>
  source.kind === 'file'
    ? `failed to load authentication configuration from file ${JSON.stringify(source.path)}: `
    : '';

const textOptions = ({ color }: ServeOptions, io: Io) => ({
  color: wantsColor(color, io.stderr, io),
  width: io.stderr.columns,
});

const plural = (count: number): string => `${count} ${count === 1 ? 'issuer' : 'issuers'}`;
