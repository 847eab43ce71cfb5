/** Links a compiled graph with ports to running authenticators. */
import type { KeyRefetch } from '../authenticators/jwt/issuer-keys.ts';
import type { Authenticator, Readiness } from '../authenticators/module.ts';
import {
  type FlagModule,
  type FlagModules,
  type LinkedModules,
  linkModules,
  noFlagModules,
} from '../authenticators/registry.ts';
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { Decision } from '../model/decision.ts';
import { type CacheLimits, defaultCacheLimits } from '../model/decision-bytes.ts';
import type { Mode } from '../model/differences.ts';
import type { ModuleId } from '../model/module-id.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { TraceSink } from '../model/trace.ts';
import type { Ports } from '../ports/ports.ts';
import { bearerTokenAuthenticator, connectionAuthenticator } from './bearer-token-authenticator.ts';
import type { AuthenticatorFunction } from './combine-decisions.ts';
import { type RequestUnionParts, requestUnion } from './request-union.ts';
import { tokenCache } from './token-cache.ts';
import { flagAuthenticator, tokenUnion } from './token-union.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Options that are not part of the configuration file.
 *
 * @example
 * ```ts
 * const options: LinkOptions = { mode: 'exact', jwksRefetch: 'per-token' };
 * const linked = link(graph, nodePorts(), options);
 * ```
 */
export interface LinkOptions {
  /**
   * `product`, the default, applies the differences in docs/differences.md; `exact` behaves as
   * kube-apiserver in every case.
   */
  readonly mode?: Mode;
  /**
   * When keys are fetched again: `throttled`, the default, at most once in ten seconds after a
   * fetch that returned no matching key; `per-token` as in kube-apiserver.
   */
  readonly jwksRefetch?: KeyRefetch;
  /** If false, fetches of key sets are not counted. */
  readonly keySetMetrics?: boolean;
  /**
   * The audiences of the API, which apply to audience-agnostic authenticators; none by default.
   */
  readonly apiAudiences?: readonly string[];
  /** Authenticators that are configured with flags; they are not affected by reloads. */
  readonly flagModules?: FlagModules;
  /** `off` authenticates every request again. */
  readonly tokenCache?: 'on' | 'off';
  /** Memory limits of the token cache; 64 MiB each if absent. */
  readonly cacheLimits?: CacheLimits;
  /** Replaces each authenticator for tokens and certificates, for traces. */
  readonly wrapAuthenticator?: WrapAuthenticator | undefined;
}

type WrapAuthenticator = (
  id: ModuleId,
  authenticator: Pick<Authenticator, 'authenticate'>,
) => Pick<Authenticator, 'authenticate'>;

/**
 * A running graph. Close it after its last request.
 *
 * @example
 * ```ts
 * const linked: LinkedGraph = link(graph, nodePorts());
 * await linked.waitForDiscovery(AbortSignal.timeout(5_000));
 * const request = { path: '/', token: secret(token), audiences: [] };
 * const decision = await linked.authenticate(request, AbortSignal.timeout(5_000));
 * await linked.close();
 * ```
 */
export interface LinkedGraph {
  readonly graph: AuthenticatorGraph;
  /** Authenticates a request. Traced requests are not served from the cache. */
  authenticate(
    request: AuthenticationRequest,
    signal: AbortSignal,
    trace?: TraceSink,
  ): Promise<Decision>;
  /**
   * Authenticates a request for a waiter, whose signal and flow are read only if it has to wait;
   * returns a promise only then.
   */
  readonly authenticateFor: AuthenticatorFunction;
  /**
   * Returns a variant of `authenticateFor` for the requests of one connection, which usually have
   * the same token. It does not trace.
   */
  connection(): AuthenticatorFunction;
  readiness(): readonly (Readiness & { readonly id: string })[];
  /** Settles once discovery has been attempted for every issuer, or the signal is aborted. */
  waitForDiscovery(signal: AbortSignal): Promise<void>;
  /** Stops all authenticators; call it after the last request. */
  close(): Promise<void>;
}

/**
 * Links a graph and starts the discovery of every issuer.
 *
 * @example
 * ```ts
 * const linked = link(graph, nodePorts());
 * await linked.waitForDiscovery(AbortSignal.timeout(5_000));
 * ```
 */
export const link = (
  graph: AuthenticatorGraph,
  ports: Ports,
  options: LinkOptions = {},
): LinkedGraph => {
  const steps = linkModules(...modulesOf(graph, ports, options));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return createLinkedGraph(graph, value, { ports, options });
  }
};

/** Links a graph in small steps, so that `otherWork` can run in between. */
export const linkInTurns = async (
  graph: AuthenticatorGraph,
  ports: Ports,
  { otherWork, ...options }: LinkOptions & { readonly otherWork: () => Promise<unknown> },
): Promise<LinkedGraph> => {
  const { clock } = ports;
  const steps = linkModules(...modulesOf(graph, ports, options));
  let turnEndsAt = clock.monotonic() + linkTurnMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return createLinkedGraph(graph, value, { ports, options });
    if (clock.monotonic() < turnEndsAt) continue;
    await otherWork();
    turnEndsAt = clock.monotonic() + linkTurnMs;
  }
};

/** How long linking may occupy the main thread while requests wait. */
const linkTurnMs = 0.5;

const modulesOf = (
  graph: AuthenticatorGraph,
  ports: Ports,
  { mode = 'product', jwksRefetch = 'throttled', keySetMetrics = true }: LinkOptions,
): Parameters<typeof linkModules> => [
  graph,
  ports,
  {
    mode,
    refetch: jwksRefetch,
    keySetMetrics,
    apiDomain: graph.apiDomain,
    release: graph.targetRelease,
  },
];

const createLinkedGraph = (
  graph: AuthenticatorGraph,
  { jwt, anonymous }: LinkedModules,
  { ports, options }: { readonly ports: Ports; readonly options: LinkOptions },
): LinkedGraph => {
  const { apiAudiences = [], wrapAuthenticator: wrap } = options;
  const flagModules = wrapFlagModules(options.flagModules ?? noFlagModules, wrap);
  const cache =
    options.tokenCache === 'off'
      ? undefined
      : tokenCache(ports, {
          keyPrefix: ports.randomness.uuid(),
          limits: options.cacheLimits ?? defaultCacheLimits,
        });
  const decidingJwt = wrap === undefined ? jwt : wrap('jwt', jwt);
  const authenticateToken = tokenUnion(decidingJwt, flagModules, apiAudiences);
  const parts: RequestUnionParts = {
    certificateModules: flagModules.certificateModules.map((module) =>
      flagAuthenticator(module, apiAudiences),
    ),
    anonymous,
    apiDomain: graph.apiDomain,
  };
  const authenticateFor = requestUnion(parts, bearerTokenAuthenticator(authenticateToken, cache));
  return {
    graph,
    authenticate: async (request, signal, trace) => authenticateFor(request, { signal }, trace),
    authenticateFor,
    connection: () =>
      cache === undefined
        ? authenticateFor
        : requestUnion(parts, connectionAuthenticator(authenticateToken, cache, ports.clock)),
    readiness: () => jwt.issuers(),
    waitForDiscovery: (signal) => untilAborted(jwt.firstAttempts, signal),
    close() {
      cache?.close();
      return jwt.close();
    },
  };
};

const wrapFlagModules = (
  modules: FlagModules,
  wrap: WrapAuthenticator | undefined,
): FlagModules => {
  if (wrap === undefined) return modules;
  const wrapped = (list: readonly FlagModule[]): readonly FlagModule[] =>
    list.map((module) => ({ ...module, authenticator: wrap(module.id, module.authenticator) }));
  return {
    certificateModules: wrapped(modules.certificateModules),
    tokensBeforeJwt: wrapped(modules.tokensBeforeJwt),
    tokensAfterJwt: wrapped(modules.tokensAfterJwt),
  };
};
