/** `authgraph serve`: the server, with the flags of kube-apiserver. */
import { openSync } from 'node:fs';
import { renderText } from '../../diagnostics/render.ts';
import { looseSecretFiles } from '../../node/file-modes.ts';
import { nodeKeyCache } from '../../node/key-cache.ts';
import { type NodeLog, nodeLog } from '../../node/log.ts';
import { nodeMetrics } from '../../node/metrics.ts';
import { nodePorts } from '../../node/ports.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { authoritiesProblem } from '../../server/modules/load-modules.ts';
import { openObjects } from '../../server/open-objects.ts';
import { readServeOptions, type ServeOptions } from '../../server/options.ts';
import type { ReloadEvent } from '../../server/reload.ts';
import { secretFilesOf } from '../../server/secret-files.ts';
import { serveFlags } from '../../server/serve-flags.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import { type ServingStart, startServing } from '../../server/serving.ts';
import { loadSigner, type TokenIssuing } from '../../server/token-issuing.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { type Command, complain, fail } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { wantsColor } from '../paint.ts';
import {
  type ServedConfiguration,
  servedConfiguration,
  servedFindings,
} from '../served-configuration.ts';
import { version } from '../version.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[flags]',
  about:
    'Answers SelfSubjectReview and TokenReview over HTTPS, deciding as kube-apiserver would with the same flags and file. The file is read again when it changes: all or nothing. Ends on Ctrl-C or SIGTERM, after open requests.',
  flags: serveFlags,
  examples: [
    {
      line: 'authgraph serve --authentication-config auth.yaml',
      does: 'on port 6443 with a self-signed certificate',
    },
    {
      line: 'authgraph serve --oidc-issuer-url https://issuer.example --oidc-client-id app',
      does: 'one issuer, as flags',
    },
    {
      line: 'authgraph serve --authentication-config auth.yaml --token-review-open group:ops --decision-log -',
      does: 'members of ops may create TokenReviews; decisions on standard output',
    },
  ],
  run: (args, io) => runServe(args, io),
};

const runServe = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const reading = readServeOptions(args);
  if (reading.kind === 'help') {
    const { commandHelp } = await import('../help.ts');
    io.stdout.write(commandHelp(serve));
    return exitCodes.ok;
  }
  if (reading.kind === 'problems') {
    const { options, problems } = reading;
    if (options === undefined) return complain(serve, problems, io);
    const findings = await servedFindings(options, io);
    if (findings !== undefined) io.stderr.write(renderText([findings], textOptions(options, io)));
    const overlap = await authoritiesProblem(options.modules);
    const more = overlap === undefined ? [] : [{ message: overlap, help: '' }];
    return complain(serve, [...problems, ...more], io);
  }
  const { options } = reading;
  const overlap = await authoritiesProblem(options.modules);
  if (overlap !== undefined) return complain(serve, [{ message: overlap, help: '' }], io);
  const configuration = await servedConfiguration(options, io);
  if (configuration.kind === 'problem') return fail(io, configuration.message, configuration.help);
  // One domain for all of the server, to its end.
  const { apiDomain } = configuration.settings;
  return runServer({ ...options, apiDomain }, configuration, io);
};

const runServer = async (
  options: ServeOptions,
  configuration: Extract<ServedConfiguration, { kind: 'configuration' }>,
  io: Io,
): Promise<ExitCode> => {
  // Taken before anything can be left behind.
  const { signal } = io;
  const metrics = nodeMetrics();
  const decisions = openDecisionLog(options, metrics);
  if (decisions.kind === 'failed') return fail(io, decisions.reason);
  const signing = await loadSigner(options.modules.serviceAccounts);
  if (signing.kind === 'failed') return fail(io, signing.error);
  const log = nodeLog({ level: options.logLevel });
  const keyCache =
    options.jwksCacheDir === undefined
      ? undefined
      : nodeKeyCache({ directory: options.jwksCacheDir, log });
  const ports = nodePorts({ log, metrics, ...(keyCache === undefined ? {} : { keyCache }) });
  const opening = await openObjects(options, ports);
  if (opening.kind === 'failed') {
    await ports.http.close();
    return fail(io, opening.errors.join('; '));
  }
  const { world } = opening;
  for (const warning of await looseSecretFiles(secretFilesOf(options))) {
    log.event('warn', warning);
  }
  try {
    const start = await startServing({
      configuration: configuration.source,
      settings: configuration.settings,
      ports,
      link: {
        mode: 'product',
        jwksRefetch: options.jwksRefetch,
        apiAudiences: options.apiAudiences,
      },
      modules: { settings: options.modules, objects: world.view, store: world.store },
      report: (event) => tellReload(event, options, io),
    });
    if (start.kind !== 'serving') return await tellRefusal(start, { configuration, options, io });
    const { serving, source, diagnostics } = start;
    io.stderr.write(renderText([{ source, diagnostics }], textOptions(options, io)));
    let server: RunningServer;
    try {
      server = await startServer({
        options,
        holder: serving.holder,
        ports,
        world,
        issuing: issuingOf(options, signing.signer, serving.modules?.accountKeys),
        authorities: serving.authorities,
        proxyHeaders: serving.modules?.proxyHeaders,
        metricsText: metrics,
        productVersion: version,
        ...(decisions.log === undefined ? {} : { decisionLog: decisions.log }),
      });
    } catch (cause) {
      await serving.close();
      return fail(io, cause instanceof Error ? cause.message : String(cause));
    }
    io.stdout.write(
      `authgraph serves ${source.uri} on ${server.url} (${plural(serving.graph().nodes.length)})\n`,
    );
    await aborted(signal);
    await server.close(options.shutdownGraceMs);
    await serving.close();
    return exitCodes.ok;
  } finally {
    await world.close();
    await ports.http.close();
    decisions.log?.flush();
    log.flush();
  }
};

/** Without a key to check them by there are no tokens of service accounts. */
const issuingOf = (
  { modules }: ServeOptions,
  signer: TokenSigner | undefined,
  keys: AccountKeys | undefined,
): TokenIssuing | undefined =>
  keys === undefined ? undefined : { settings: modules.serviceAccounts, signer, keys };

type DecisionLog =
  | { readonly kind: 'open'; readonly log: NodeLog | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Opens the file of `--decision-log`; lines that nobody takes are counted. */
export const openDecisionLog = (
  { decisionLog }: Pick<ServeOptions, 'decisionLog'>,
  metrics: Metrics,
): DecisionLog => {
  if (decisionLog === undefined) return { kind: 'open', log: undefined };
  const onDropped = (): void => metrics.increment('authgraph_decision_log_dropped_total');
  if (decisionLog === '-') {
    return { kind: 'open', log: nodeLog({ destination: standardOutput, onDropped }) };
  }
  try {
    // Decisions name people: nobody else reads the file.
    const destination = openSync(decisionLog, 'a', 0o600);
    return { kind: 'open', log: nodeLog({ destination, onDropped }) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { kind: 'failed', reason: `the decision log cannot be opened: ${reason}` };
  }
};

const standardOutput = 1;

const tellReload = (event: ReloadEvent, options: ServeOptions, io: Io): void => {
  const say = (text: string): void => io.stderr.write(`${text}\n`);
  const kept = 'the last good configuration goes on serving';
  switch (event.kind) {
    case 'reloaded':
      io.stderr.write(renderText([event], textOptions(options, io)));
      say(`reloaded ${event.source.uri}`);
      return;
    case 'refused':
      io.stderr.write(renderText([event], textOptions(options, io)));
      say(`not reloaded ${event.source.uri}: ${kept}`);
      return;
    case 'waiting':
      say(`waiting up to a minute for issuers: ${event.reasons.join('; ')}`);
      return;
    case 'unhealthy':
      say(`not reloaded: ${event.reasons.join('; ')}; ${kept}`);
      return;
    case 'unreadable':
      say(`not reloaded: ${event.reason}; ${kept}`);
      return;
    case 'restored':
      say('the file is again what is being served');
  }
};

const tellRefusal = async (
  start: Exclude<ServingStart, { kind: 'serving' }>,
  {
    configuration,
    options,
    io,
  }: {
    readonly configuration: Extract<ServedConfiguration, { kind: 'configuration' }>;
    readonly options: ServeOptions;
    readonly io: Io;
  },
): Promise<ExitCode> => {
  const { loadErrorText } = await import('../load-error-text.ts');
  if (start.kind === 'unusable') return fail(io, start.error);
  if (start.kind === 'unreadable') return fail(io, `${loadPrefix(configuration)}${start.reason}`);
  io.stderr.write(renderText([start], textOptions(options, io)));
  fail(io, loadErrorText(start, configuration));
  return exitCodes.problems;
};

const loadPrefix = ({ source }: Extract<ServedConfiguration, { kind: 'configuration' }>): string =>
  source.kind === 'file'
    ? `failed to load authentication configuration from file ${JSON.stringify(source.path)}: `
    : '';

const textOptions = ({ color }: ServeOptions, io: Io) => ({
  color: wantsColor(color, io.stderr, io),
  width: io.stderr.columns,
});

const plural = (count: number): string => `${count} ${count === 1 ? 'issuer' : 'issuers'}`;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
