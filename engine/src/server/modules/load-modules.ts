/**
 * Loads the modules configured by flags: reads their files and compiles their nodes, in
 * kube-apiserver's order, so that the same one of several errors comes first.
 */
import { compileAuthenticatingProxy } from '../../authenticators/authenticating-proxy/compile.ts';
import { overlapProblem } from '../../authenticators/authenticating-proxy/config.ts';
import {
  type HeaderNames,
  proxyHeaderNames,
} from '../../authenticators/authenticating-proxy/header-rules.ts';
import { compileBootstrapToken } from '../../authenticators/bootstrap-token/compile.ts';
import { compileClientCertificate } from '../../authenticators/client-certificate/compile.ts';
import { compileLegacyServiceAccountToken } from '../../authenticators/legacy-service-account-token/compile.ts';
import {
  type FlagModuleParts,
  type FlagModules,
  linkFlagModules,
} from '../../authenticators/registry.ts';
import { compileServiceAccountToken } from '../../authenticators/service-account-token/compile.ts';
import { accountTokenRules } from '../../authenticators/service-account-token/token-rules.ts';
import { compileStaticToken } from '../../authenticators/static-token/compile.ts';
import type { ReloadablePool } from '../../certificates/certificate-pool.ts';
import type { FlagModuleNodes } from '../../compile/graph.ts';
import type { CacheLimits } from '../../model/decision-bytes.ts';
import type { Mode } from '../../model/differences.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import { nodePrivateKeys } from '../../node/private-keys.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import {
  type AccountKeys,
  type KeyFile,
  readAccountKeys,
} from '../../signed-token/account-keys.ts';
import { loadWebhook } from './load-webhook.ts';
import { type ReadModuleFile, readModuleFile } from './module-file.ts';
import type { ModuleSettings } from './settings.ts';

export interface ModuleContext {
  readonly ports: Ports;
  readonly mode: Mode;
  readonly gates: FeatureGates;
  readonly apiAudiences: readonly string[];
  /** The memory of the caches; unlimited if absent. */
  readonly cacheLimits?: CacheLimits | undefined;
  /** Reads the files that flags name; from the file system if absent. */
  readonly readFile?: ReadModuleFile;
}

/** The stored objects that modules use, once all of their files are valid. */
export interface StoredObjects {
  /** The view in which tokens are looked up. */
  readonly objects: ObjectView;
  /** The store in which the last use of a token is recorded. */
  readonly store?: Pick<Store, 'get' | 'update'>;
}

export interface LoadedModules {
  readonly nodes: FlagModuleNodes;
  readonly flagModules: FlagModules;
  /** Bundles of certificate authorities, which are watched while the server runs. */
  readonly authorities: readonly LoadedAuthorities[];
  /** The headers to remove after authentication. */
  readonly proxyHeaders: HeaderNames | undefined;
  /** The keys that verify service account tokens; `undefined` without a key file. */
  readonly accountKeys: AccountKeys | undefined;
  /** Warnings to log at startup. */
  readonly warnings: readonly string[];
}

export interface LoadedAuthorities {
  readonly file: string;
  readonly bundle: Uint8Array;
  readonly pool: ReloadablePool;
}

export type ModulesLoading =
  /** Nothing runs before the modules are linked. */
  | { readonly kind: 'loaded'; link(stored: StoredObjects): LoadedModules }
  /** All failures; the first one is that at which kube-apiserver stops. */
  | { readonly kind: 'failed'; readonly failures: readonly [ModuleFailure, ...ModuleFailure[]] };

export interface ModuleFailure {
  /** Errors in the configuration are also reported by `ConfigurationSteps`. */
  readonly origin: 'module' | 'configuration';
  /** The message is kube-apiserver's. */
  readonly error: string;
  /** How to fix it, if the error does not contain that. */
  readonly help?: string;
  /** kube-apiserver creates authenticators only after the whole configuration is valid. */
  readonly phase: 'configuration' | 'authenticators';
}

/** The steps that process the configuration file between the modules. */
export interface ConfigurationSteps {
  /** Decodes and validates the file: after the client authorities, before all other files. */
  check(): Promise<CheckedConfiguration>;
  /**
   * Creates the authenticators: after static tokens, before the webhook. Called only if the file is
   * valid; returns an error message.
   */
  create(): Promise<string | undefined>;
}

export type CheckedConfiguration =
  /** The API domain of reserved names in the file. */
  | { readonly kind: 'good'; readonly apiDomain: string }
  | { readonly kind: 'failed'; readonly error: string };

/** Reads the files of all modules and reports every problem in them. */
export const loadModules = async (
  settings: ModuleSettings,
  context: ModuleContext,
  configuration: ConfigurationSteps,
): Promise<ModulesLoading> => {
  const checked = await configuration.check();
  const isGood = checked.kind === 'good';
  const loadContext = {
    readFile: readModuleFile,
    ...context,
    apiDomain: isGood ? checked.apiDomain : '',
  };
  const certificates = await loadClients(settings, loadContext);
  const proxy = await loadProxy(settings, loadContext);
  const accounts = await loadAccounts(settings, loadContext);
  const staticTokens = await loadStaticTokens(settings, loadContext);
  const created = isGood ? await configuration.create() : undefined;
  const webhook = await loadWebhook(settings.webhookToken, loadContext);
  const [first, ...others]: readonly ModuleFailure[] = [
    ...failuresOf(certificates, 'configuration'),
    ...(isGood ? [] : [configurationFailure(checked.error, 'configuration')]),
    ...failuresOf(proxy, 'configuration'),
    ...failuresOf(accounts, 'configuration'),
    ...failuresOf(staticTokens, 'authenticators'),
    ...(created === undefined ? [] : [configurationFailure(created, 'authenticators')]),
    ...failuresOf(webhook, 'authenticators'),
  ];
  if (first !== undefined) return { kind: 'failed', failures: [first, ...others] };
  const loaded = [certificates, proxy, accounts, staticTokens, webhook].filter(isLoaded);
  return {
    kind: 'loaded',
    link(stored) {
      const parts: FlagModuleParts = Object.assign(
        {},
        ...loaded.map(({ part }) => part(stored)),
        bootstrapTokens(settings, { ...stored, apiDomain: loadContext.apiDomain }),
      );
      return {
        nodes: nodesOf(parts),
        flagModules: linkFlagModules(parts, context.ports, {
          mode: context.mode,
          ...(context.cacheLimits === undefined ? {} : { limits: context.cacheLimits }),
        }),
        authorities: loaded.flatMap(({ authorities = [] }) => authorities),
        proxyHeaders:
          parts.authenticatingProxy && proxyHeaderNames(parts.authenticatingProxy.node.headers),
        accountKeys: parts.legacyServiceAccountToken?.material.keys,
        warnings: loaded.flatMap(({ warnings }) => warnings),
      };
    },
  };
};

/**
 * Returns the overlap of client and proxy authorities, the one rule about flags that has to read
 * files. It follows all other rules; an unreadable file is reported where it is used.
 */
export const authoritiesProblem = async ({
  clientCertificate,
  authenticatingProxy,
}: ModuleSettings): Promise<string | undefined> => {
  const { allowedNames, caFile } = authenticatingProxy;
  const clients = await readBundle(clientCertificate.caFile, readModuleFile);
  const proxies = await readBundle(caFile, readModuleFile);
  if (clients?.kind !== 'read' || proxies?.kind !== 'read') return undefined;
  const bundles = { clientBundle: clients.bytes, proxyBundle: proxies.bytes };
  const problem = overlapProblem({ ...bundles, allowedNames });
  return problem?.severity === 'error' ? problem.message : undefined;
};

interface LoadedPart {
  readonly kind: 'loaded';
  readonly part: (stored: StoredObjects) => FlagModuleParts;
  readonly authorities?: readonly LoadedAuthorities[];
  readonly warnings: readonly string[];
}

type PartLoading = LoadedPart | Failed;

interface Failed {
  readonly kind: 'failed';
  readonly errors: readonly string[];
  /** Help for the first error. */
  readonly help?: string;
}

type LoadContext = ModuleContext & {
  readonly apiDomain: string;
  readonly readFile: ReadModuleFile;
};

const isLoaded = (loading: PartLoading): loading is LoadedPart => loading.kind === 'loaded';

const failuresOf = (
  loading: PartLoading,
  phase: ModuleFailure['phase'],
): readonly ModuleFailure[] =>
  loading.kind === 'loaded'
    ? []
    : loading.errors.map((error, index) => ({
        origin: 'module',
        error,
        phase,
        ...(index > 0 || loading.help === undefined ? {} : { help: loading.help }),
      }));

const configurationFailure = (error: string, phase: ModuleFailure['phase']): ModuleFailure => ({
  origin: 'configuration',
  error,
  phase,
});

const failed = (...errors: readonly string[]): Failed => ({ kind: 'failed', errors });
const emptyPart: LoadedPart = { kind: 'loaded', part: () => ({}), warnings: [] };

interface Bundle {
  readonly kind: 'read';
  readonly file: string;
  readonly bytes: Uint8Array;
}

const readBundle = async (
  file: string | undefined,
  readFile: ReadModuleFile,
): Promise<Bundle | Failed | undefined> => {
  if (file === undefined) return undefined;
  const reading = await readFile(file);
  if (reading.kind === 'unreadable') return failed(reading.reason);
  return { kind: 'read', file, bytes: reading.bytes };
};

const loadClients = async (
  { clientCertificate: { caFile } }: ModuleSettings,
  { gates, apiDomain, readFile }: LoadContext,
): Promise<PartLoading> => {
  const clients = await readBundle(caFile, readFile);
  if (clients === undefined) return emptyPart;
  if (clients.kind === 'failed') return clients;
  const { file, bytes } = clients;
  const compiled = compileClientCertificate({ caFile: file, bytes }, { gates, apiDomain });
  if (compiled.kind === 'failed') return failed(compiled.error);
  const { node, material, warnings } = compiled;
  const authorities = [{ file, bundle: bytes, pool: material.pool }];
  const part = () => ({ clientCertificate: { node, material } });
  return { kind: 'loaded', part, authorities, warnings };
};

const loadProxy = async (
  { authenticatingProxy, clientCertificate }: ModuleSettings,
  { readFile }: LoadContext,
): Promise<PartLoading> => {
  const { caFile, allowedNames } = authenticatingProxy;
  const proxies = await readBundle(caFile, readFile);
  if (proxies === undefined || caFile === undefined) return emptyPart;
  if (proxies.kind === 'failed') return proxies;
  const { bytes } = proxies;
  const compiled = compileAuthenticatingProxy({ ...authenticatingProxy, caFile, bytes });
  if (compiled.kind === 'failed') return failed(compiled.error);
  const { node, material } = compiled;
  const clients = await readBundle(clientCertificate.caFile, readFile);
  const overlap =
    clients?.kind === 'read'
      ? overlapProblem({ clientBundle: clients.bytes, proxyBundle: bytes, allowedNames })
      : undefined;
  const warnings = overlap === undefined ? [] : [overlap.message];
  return {
    kind: 'loaded',
    part: () => ({ authenticatingProxy: { node, material } }),
    authorities: [{ file: caFile, bundle: bytes, pool: material.pool }],
    warnings: [...compiled.warnings, ...warnings],
  };
};

const loadAccounts = async (
  { serviceAccounts }: ModuleSettings,
  { ports, mode, gates, apiAudiences, apiDomain, readFile }: LoadContext,
): Promise<PartLoading> => {
  const keyPorts = { ...ports, privateKeys: nodePrivateKeys() };
  const files: KeyFile[] = [];
  const errors: string[] = [];
  for (const path of serviceAccounts.keyFiles) {
    const reading = await readFile(path);
    if (reading.kind === 'unreadable') {
      errors.push(reading.reason);
      continue;
    }
    const file = { path, text: new TextDecoder('latin1').decode(reading.bytes) };
    const alone = readAccountKeys([file], keyPorts);
    if (alone.kind === 'error') errors.push(alone.error);
    files.push(file);
  }
  if (errors.length > 0) return failed(...errors);
  if (files.length === 0) return emptyPart;
  const read = readAccountKeys(files, keyPorts);
  if (read.kind === 'error') return failed(read.error);
  const { keys, warnings } = read;
  const { lookup } = serviceAccounts;
  const legacy = compileLegacyServiceAccountToken({ lookup, apiAudiences }, keys);
  const rules = accountTokenRules(gates);
  const bound = compileServiceAccountToken({ ...serviceAccounts, rules }, apiAudiences, keys);
  const part = ({ objects, store }: StoredObjects): FlagModuleParts => {
    const material = { keys, objects, mode, apiDomain };
    const materialWithStore = store === undefined ? material : { ...material, store };
    return {
      ...(legacy && { legacyServiceAccountToken: { node: legacy, material: materialWithStore } }),
      ...(bound && { serviceAccountToken: { node: bound, material } }),
    };
  };
  return { kind: 'loaded', part, warnings };
};

const loadStaticTokens = async (
  { staticToken: { file } }: ModuleSettings,
  { ports: { digest }, mode, readFile }: LoadContext,
): Promise<PartLoading> => {
  if (file === undefined) return emptyPart;
  const reading = await readFile(file);
  if (reading.kind === 'unreadable') return failed(reading.reason);
  const compiled = compileStaticToken({ file, bytes: reading.bytes }, { digest, mode });
  if (compiled.kind === 'failed') return failed(compiled.error);
  const { node, material, warnings } = compiled;
  return { kind: 'loaded', part: () => ({ staticToken: { node, material } }), warnings };
};

const bootstrapTokens = (
  { bootstrapToken }: ModuleSettings,
  { apiDomain, objects }: StoredObjects & Pick<LoadContext, 'apiDomain'>,
): FlagModuleParts => {
  const node = compileBootstrapToken(bootstrapToken, { apiDomain });
  return node === undefined ? {} : { bootstrapToken: { node, material: { objects } } };
};

const nodesOf = (parts: FlagModuleParts): FlagModuleNodes =>
  Object.fromEntries(Object.entries(parts).map(([name, { node }]) => [name, node]));
