/**
 * A configuration in service: loaded, linked, and reloaded when its file changes. The listener
 * reads the current authenticator generation from it.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { literalsOf } from '../../authenticators/jwt/claim-record.ts';
import { type FlagModule, type FlagModules, noFlagModules } from '../../authenticators/registry.ts';
import { hashGraph } from '../../compile/artifact.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { CompileSettings } from '../../compile/settings.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { readBytes } from '../../documents/yaml/read-bytes.ts';
import { readSnapshot } from '../../node/files.ts';
import type { Ports } from '../../ports/ports.ts';
import { type LinkedGraph, type LinkOptions, link, linkInTurns } from '../../runtime/link.ts';
import { type GraphHolder, graphHolder } from '../../runtime/swap.ts';
import { once } from '../../source/once.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type ClientAuthorities, followAuthorities } from '../modules/client-authorities.ts';
import {
  type LoadedModules,
  loadModules,
  type ModuleFailure,
  type ModulesLoading,
  type StoredObjects,
} from '../modules/load-modules.ts';
import type { ModuleSettings } from '../modules/settings.ts';
import type { AuthenticatorGeneration, GenerationHolder } from './authenticator-generation.ts';
import { loadConfiguration } from './load-configuration.ts';
import { maxConfigurationFileBytes, type Reload, type ReloadEvent, startReload } from './reload.ts';
import type { Candidate } from './wait-for-health.ts';

/**
 * The configuration to put into service, and what it is linked with.
 *
 * @example
 * ```ts
 * const options: ServingOptions = {
 *   configuration: { kind: 'file', path: 'auth.yaml' },
 *   settings: defaultSettings,
 *   ports: nodePorts(),
 *   report: ({ kind }) => console.log(kind),
 * };
 * ```
 */
export interface ServingOptions {
  /** A file that is watched, or a fixed text. */
  readonly configuration:
    | {
        readonly kind: 'file';
        readonly path: string;
        readonly shownPath?: string;
        /** The text to start with, instead of the content of the file. */
        readonly initial?: string;
      }
    | { readonly kind: 'text'; readonly name: string; readonly text: string };
  readonly settings: CompileSettings;
  readonly ports: Ports;
  readonly link?: LinkOptions;
  /** The modules configured by flags; none if absent. */
  readonly modules?: ServedModules;
  readonly report: (event: ReloadEvent) => void;
}

export interface ServedModules extends StoredObjects {
  readonly settings: ModuleSettings;
  /** `false` if another worker logs the warnings about the flags. */
  readonly logsWarnings?: boolean;
}

/**
 * A configuration in service.
 *
 * @example
 * ```ts
 * const issuers = (serving: Serving) => serving.graph().nodes.map(({ issuerUrl }) => issuerUrl);
 * ```
 */
export interface Serving {
  readonly holder: GenerationHolder;
  /** The modules configured by flags. */
  readonly modules: LoadedModules | undefined;
  /** Absent if no client certificate is requested. */
  readonly authorities: ClientAuthorities | undefined;
  /** Returns the graph in service. */
  graph(): AuthenticatorGraph;
  /** Resolves once discovery has been attempted for every issuer, or the signal is aborted. */
  waitForDiscovery(signal: AbortSignal): Promise<void>;
  /** Absent for a fixed text. */
  readonly reload: Reload | undefined;
  close(): Promise<void>;
}

/**
 * The result of a start: a configuration in service, or the first problem.
 *
 * @example
 * ```ts
 * const holderOf = (start: ServingStart) =>
 *   start.kind === 'serving' ? start.serving.holder : undefined;
 * ```
 */
export type ServingStart = StartedServing | LoadProblem;

interface StartedServing {
  readonly kind: 'serving';
  readonly serving: Serving;
  readonly source: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
}

export type LoadProblem =
  | UnusableConfiguration
  /** A file of a module is unusable; the message is kube-apiserver's. */
  | { readonly kind: 'unusable'; readonly error: string; readonly help?: string };

type UnusableConfiguration = Extract<ReloadEvent, { kind: 'refused' | 'unreadable' }>;

/** The options that `loadServing` needs; it reads files and starts nothing. */
export type LoadOptions = Pick<ServingOptions, 'configuration' | 'settings' | 'ports' | 'link'> & {
  readonly modules?: Pick<ServedModules, 'settings'>;
};

/**
 * Loads a configuration and puts it into service. A server never starts with an invalid
 * configuration; the first problem is returned.
 *
 * @example
 * ```ts
 * const start = await startServing({
 *   configuration: { kind: 'file', path: 'auth.yaml' },
 *   settings: defaultSettings,
 *   ports: nodePorts(),
 *   report: ({ kind }) => console.log(kind),
 * });
 * if (start.kind !== 'serving') throw new Error('auth.yaml is not valid');
 * ```
 */
export const startServing = async (options: ServingOptions): Promise<ServingStart> => {
  const loading = await loadServing(options);
  return loading.kind === 'loaded' ? startLoaded(loading, options) : loading.problems[0];
};

export type ServingLoading =
  | LoadedServing
  /** All problems, in kube-apiserver's order. */
  | { readonly kind: 'failed'; readonly problems: readonly [LoadProblem, ...LoadProblem[]] };

/** A valid configuration and the valid files of the modules; nothing is started yet. */
export interface LoadedServing extends LoadedConfigurationFile {
  readonly modules: Extract<ModulesLoading, { kind: 'loaded' }> | undefined;
}

/** Starts what `loadServing` loaded, with the same options. */
export const startLoaded = (loaded: LoadedServing, options: ServingOptions): StartedServing => {
  const { configuration, ports } = options;
  const { source, hash, diagnostics } = loaded;
  const modules = options.modules && loaded.modules?.link(options.modules);
  const flagModules = modules?.flagModules ?? noFlagModules;
  const warnings = options.modules?.logsWarnings === false ? [] : (modules?.warnings ?? []);
  for (const warning of warnings) ports.log.event('warn', warning);
  const withFlagModules = (compiled: AuthenticatorGraph): AuthenticatorGraph => ({
    ...compiled,
    ...modules?.nodes,
  });
  const linkOptions = { ...options.link, flagModules, otherWork: yieldToEventLoop };
  const graphs = graphHolder(link(withFlagModules(loaded.graph), ports, linkOptions));
  const generations = new WeakMap<LinkedGraph, AuthenticatorGeneration>();
  const generationOf = (linked: LinkedGraph): AuthenticatorGeneration => {
    const generation = generations.get(linked) ?? createGeneration(linked, flagModules, ports);
    generations.set(linked, generation);
    return generation;
  };
  // Created now, because discovery may have been attempted before the first request.
  generationOf(graphs.current());
  const authorities = followAuthorities(modules?.authorities ?? [], ports);
  const reload =
    configuration.kind === 'file'
      ? startReload({
          path: configuration.path,
          shownPath: configuration.shownPath ?? configuration.path,
          servingHash: hash,
          serving: loaded.graph,
          load: (text) => loadConfiguration(text, options.settings),
          async link(next) {
            const linked = await linkInTurns(withFlagModules(next), ports, linkOptions);
            return candidateOf(linked, graphs, { prepare: () => void generationOf(linked), ports });
          },
          report: options.report,
          clock: ports.clock,
          metrics: ports.metrics,
          log: ports.log,
        })
      : undefined;
  return {
    kind: 'serving',
    source,
    diagnostics,
    serving: {
      holder: {
        acquire() {
          const { linked, release } = graphs.acquire();
          return { generation: generationOf(linked), release };
        },
      },
      modules,
      authorities,
      graph: () => graphs.current().graph,
      waitForDiscovery: (signal) => graphs.current().waitForDiscovery(signal),
      reload,
      async close() {
        await Promise.all([reload?.close(), authorities?.close()]);
        await graphs.close();
        await Promise.all(
          allFlagModules(flagModules).map(({ authenticator }) => authenticator.close?.()),
        );
      },
    },
  };
};

interface LoadedConfigurationFile {
  readonly kind: 'loaded';
  readonly source: SourceFile;
  readonly hash: string;
  readonly graph: AuthenticatorGraph;
  readonly diagnostics: readonly Diagnostic[];
}

type ConfigurationCheck = LoadedConfigurationFile | UnusableConfiguration;

/** Loads the configuration and the files of the modules, in kube-apiserver's order. */
export const loadServing = async (options: LoadOptions): Promise<ServingLoading> => {
  const { modules, ports, link: linkOptions = {} } = options;
  const checked = await checkConfiguration(options);
  if (modules === undefined) {
    return checked.kind === 'loaded'
      ? { ...checked, modules: undefined }
      : { kind: 'failed', problems: [checked] };
  }
  const context = {
    ports,
    mode: linkOptions.mode ?? 'product',
    gates: options.settings.featureGates,
    apiAudiences: linkOptions.apiAudiences ?? [],
    cacheLimits: linkOptions.cacheLimits,
  };
  const loading = await loadModules(modules.settings, context, {
    check: async () =>
      checked.kind === 'loaded'
        ? { kind: 'good', apiDomain: checked.graph.apiDomain }
        : { kind: 'failed', error: checked.kind },
    create: async () => undefined,
  });
  if (loading.kind === 'failed') {
    const [first, ...others] = loading.failures;
    const problemOf = ({ origin, error, help }: ModuleFailure): LoadProblem =>
      origin === 'configuration' && checked.kind !== 'loaded'
        ? checked
        : { kind: 'unusable', error, ...(help === undefined ? {} : { help }) };
    return { kind: 'failed', problems: [problemOf(first), ...others.map(problemOf)] };
  }
  if (checked.kind !== 'loaded') throw new Error('unreachable: modules without a configuration');
  return { ...checked, modules: loading };
};

const checkConfiguration = async (options: LoadOptions): Promise<ConfigurationCheck> => {
  const reading = await readText(options);
  if (reading.kind !== 'text') return reading;
  const { source, hash } = reading;
  const { graph, diagnostics } = await loadConfiguration(source, options.settings);
  return graph === undefined
    ? { kind: 'refused', source, diagnostics }
    : { kind: 'loaded', source, hash, graph, diagnostics };
};

type TextReading =
  | { readonly kind: 'text'; readonly source: SourceFile; readonly hash: string }
  | UnusableConfiguration;

const readText = async ({ configuration, ports }: LoadOptions): Promise<TextReading> => {
  if (configuration.kind === 'text') {
    const { name, text } = configuration;
    return { kind: 'text', source: sourceFile(name, text), hash: ports.digest.sha256Hex(text) };
  }
  const { path, shownPath = path, initial } = configuration;
  if (initial !== undefined) {
    const source = sourceFile(shownPath, initial);
    return { kind: 'text', source, hash: ports.digest.sha256Hex(initial) };
  }
  const reading = await readSnapshot(path, { maxBytes: maxConfigurationFileBytes });
  if (reading.kind === 'unreadable') return reading;
  const read = readBytes(reading.bytes);
  const source = sourceFile(shownPath, read.text);
  return read.kind === 'text'
    ? { kind: 'text', source, hash: reading.hash }
    : { kind: 'refused', source, diagnostics: [read.diagnostic] };
};

const candidateOf = (
  linked: LinkedGraph,
  graphs: GraphHolder,
  { prepare, ports }: Pick<Candidate, 'prepare'> & { readonly ports: Ports },
): Candidate => ({
  prepare,
  unready: () =>
    linked
      .readiness()
      .filter(({ isReady }) => !isReady)
      .map(({ id, reason }) => reason ?? id),
  install() {
    const removed = removedIssuers(graphs.current().graph, linked.graph);
    void graphs.swap(linked).then(() => forgetIssuers(removed, ports));
  },
  discard: () => linked.close(),
});

const removedIssuers = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): readonly string[] => {
  const remaining = new Set(after.nodes.map(({ issuerUrl }) => issuerUrl));
  return before.nodes.map(({ issuerUrl }) => issuerUrl).filter((url) => !remaining.has(url));
};

/** Deletes the metric series of removed issuers, after their last requests have ended. */
const forgetIssuers = (issuerUrls: readonly string[], { metrics, digest }: Ports): void => {
  for (const url of issuerUrls) {
    const issuer = { jwt_issuer_hash: `sha256:${digest.sha256Hex(url)}` };
    for (const family of ['last_timestamp_seconds', 'last_key_set_info']) {
      metrics.forget(`apiserver_authentication_jwt_authenticator_jwks_fetch_${family}`, issuer);
    }
  }
};

const createGeneration = (
  linked: LinkedGraph,
  flagModules: FlagModules,
  { digest }: Ports,
): AuthenticatorGeneration => {
  let discoveryAttempted = false;
  void linked.waitForDiscovery(new AbortController().signal).then(() => {
    discoveryAttempted = true;
  });
  return {
    graphHash: hashGraph(linked.graph, digest),
    claimLiterals: once(() => literalsOf(linked.graph.nodes)),
    authenticate: linked.authenticateFor,
    authenticateConnection: () => linked.connection(),
    // An issuer that is down must not make the server unready for the users of all others: after
    // the first discovery attempt, the failure is logged and the tokens of that issuer are
    // rejected.
    readinessChecks: () => [
      ...linked.readiness().map(({ id, isReady, reason = '' }) => ({
        name: id.replace(/\[(\d+)\]/, '-$1'),
        isReady: isReady || discoveryAttempted,
        reason,
        note: isReady ? undefined : unreachedIssuer(linked.graph, id),
      })),
      ...allFlagModules(flagModules).map(({ id }) => ({ name: id, isReady: true, reason: '' })),
    ],
  };
};

/** Everyone may read the note, and a URL can contain a secret only in the parts that are removed. */
const unreachedIssuer = ({ nodes }: AuthenticatorGraph, id: string): string => {
  const issuerUrl = nodes.find((node) => node.id === id)?.issuerUrl ?? '';
  const url = URL.parse(issuerUrl);
  const path = url?.pathname === '/' && !issuerUrl.endsWith('/') ? '' : url?.pathname;
  const shown = url === null ? 'its issuer' : `issuer ${url.origin}${path}`;
  return `${shown} has not been reached; its tokens are rejected`;
};

const allFlagModules = (flagModules: FlagModules): readonly FlagModule[] => [
  ...flagModules.certificateModules,
  ...flagModules.tokensBeforeJwt,
  ...flagModules.tokensAfterJwt,
];
