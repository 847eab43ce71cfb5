/** Links a compiled graph with ports to running authenticators. */
import type { Readiness } from '../authenticators/module.ts';
import {
  type FlagModule,
  type FlagModules,
  type LinkedModules,
  linkModules,
  noFlagModules,
  type RegistryOptions,
} from '../authenticators/registry.ts';
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { Waiter } from '../fairness/waiter.ts';
import { type Decision, noOpinion } from '../model/decision.ts';
import { type CacheLimits, decisionBytes, noCacheLimits } from '../model/decision-bytes.ts';
import type { Mode } from '../model/differences.ts';
import { firstHeader } from '../model/header-list.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import { reveal } from '../model/secret.ts';
import type { TraceSink } from '../model/trace.ts';
import type { Ports } from '../ports/ports.ts';
import { audienceAgnostic } from './audience-agnostic.ts';
import {
  type AuthenticatorFunction,
  addDefaults,
  firstAccepted,
  implicitAudiences,
  rejectUnclaimed,
} from './authenticate.ts';
import { type CachedDecision, tokenCache } from './token-cache.ts';
import { untilAborted } from './until-aborted.ts';
import { readWebsocketToken } from './websocket-token.ts';

/** Options that are not part of the configuration file. */
export interface LinkOptions {
  /**
   * `exact` behaves as kube-apiserver in every case; `product` applies the differences in
   * docs/differences.md.
   */
  readonly mode: Mode;
  /**
   * When keys are fetched again: `per-token` as in kube-apiserver; `throttled` at most once in ten
   * seconds after a fetch that brought no matching key.
   */
  readonly jwksRefetch: RegistryOptions['refetch'];
  /** If false, fetches of key sets are not counted. */
  readonly keySetMetrics?: boolean;
  /**
   * The audiences of the API, which apply to authenticators that do not know any; none by default.
   */
  readonly apiAudiences?: readonly string[];
  /** Authenticators that are configured with flags; they are not affected by reloads. */
  readonly flagModules?: FlagModules;
  /** `off` authenticates every request anew. */
  readonly tokenCache?: 'on' | 'off';
  /** Memory limits of the token cache; unlimited if absent. */
  readonly cacheLimits?: CacheLimits;
}

/** A running graph. Close it after its last request. */
export interface LinkedGraph {
  readonly graph: AuthenticatorGraph;
  /**
   * Authenticates a request; returns a promise only if it has to wait. Traced requests are not
   * served from the cache.
   */
  authenticate(
    request: AuthenticationRequest,
    signal: AbortSignal,
    trace?: TraceSink,
  ): Decision | Promise<Decision>;
  /**
   * Authenticates a request for a waiter, whose signal and flow are read only if it has to wait.
   */
  authenticateFor: AuthenticateRequest;
  /**
   * Returns an authenticate function for the requests of one connection, which usually have the
   * same token.
   */
  connection(): AuthenticateRequest;
  readiness(): readonly (Readiness & { readonly id: string })[];
  /** Settles once discovery has been attempted for every issuer, or the signal is aborted. */
  waitForDiscovery(signal: AbortSignal): Promise<void>;
  /** Stops all authenticators; call it after the last request. */
  close(): Promise<void>;
}

export type AuthenticateRequest = (
  request: AuthenticationRequest,
  waiter: Waiter,
) => Decision | Promise<Decision>;

/** Links a graph and starts the discovery of every issuer. */
export const link = (
  graph: AuthenticatorGraph,
  ports: Ports,
  options: LinkOptions,
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
  { mode, jwksRefetch, keySetMetrics = true }: LinkOptions,
): Parameters<typeof linkModules> => [
  { tokens: graph.nodes, anonymous: graph.anonymous },
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
  const { clock } = ports;
  const cache =
    options.tokenCache === 'off'
      ? undefined
      : tokenCache(ports, {
          generation: ports.randomness.uuid(),
          limits: options.cacheLimits ?? noCacheLimits,
        });
  const apiAudiences = options.apiAudiences ?? [];
  const flagModules = options.flagModules ?? noFlagModules;
  const requestModules = flagModules.requests.map((module) =>
    authenticatorFunctionOf(module, apiAudiences),
  );

  const authenticateJwtToken: AuthenticatorFunction = (request, waiter, trace) => {
    const audiences = implicitAudiences(apiAudiences, request.audiences);
    if (audiences === undefined) return noOpinion;
    const decision = jwt.decide(request, waiter, trace);
    return decision instanceof Promise
      ? decision.then((settled) => addDefaults(settled, audiences))
      : addDefaults(decision, audiences);
  };

  const tokenModules = [
    ...flagModules.tokensBeforeJwt.map((module) => authenticatorFunctionOf(module, apiAudiences)),
    authenticateJwtToken,
    ...flagModules.tokensAfterJwt.map((module) => authenticatorFunctionOf(module, apiAudiences)),
  ];
  const tokenUnion: AuthenticatorFunction =
    tokenModules.length === 1
      ? authenticateJwtToken
      : (...args) => firstAccepted(tokenModules, ...args);

  const authenticateToken: AuthenticatorFunction = (request, waiter, trace) => {
    const decision = tokenUnion(request, waiter, trace);
    return decision instanceof Promise ? decision.then(rejectUnclaimed) : rejectUnclaimed(decision);
  };

  const decideCached = (
    request: AuthenticationRequest,
    token: string,
    waiter: Waiter,
  ): CachedDecision | Promise<CachedDecision> | undefined =>
    cache?.decide(
      { token, audiences: request.audiences },
      (check) => authenticateToken(request, check),
      waiter,
    );

  const authenticateBearerToken: AuthenticatorFunction = (request, waiter, trace) => {
    if (request.token === undefined) return noOpinion;
    if (trace !== undefined) return authenticateToken(request, waiter, trace);
    const cached = decideCached(request, reveal(request.token), waiter);
    if (cached === undefined) return authenticateToken(request, waiter);
    return cached instanceof Promise ? cached.then(decisionOf) : cached.decision;
  };

  const authenticateWebsocketToken: AuthenticatorFunction = (request, waiter, trace) => {
    const { headers } = request;
    if (headers === undefined) return noOpinion;
    const reading = readWebsocketToken(headers, graph);
    if (reading.kind === 'none') return noOpinion;
    if (reading.kind === 'error') return rejectedHeader(reading.message);
    return authenticateBearerToken({ ...request, token: reading.token }, waiter, trace);
  };

  const requestAuthenticators = [
    ...requestModules,
    authenticateBearerToken,
    authenticateWebsocketToken,
  ];
  const orAnonymousDecision = (
    decision: Decision | Promise<Decision>,
    ...args: Parameters<AuthenticatorFunction>
  ): Decision | Promise<Decision> => {
    const anonymousIfNoOpinion = (settled: Decision): Decision | Promise<Decision> =>
      settled.kind === 'noOpinion' ? anonymous.decide(...args) : settled;
    return decision instanceof Promise
      ? decision.then(anonymousIfNoOpinion)
      : anonymousIfNoOpinion(decision);
  };

  const hasClientCertificate = ({ certificates }: AuthenticationRequest): boolean =>
    certificates !== undefined && requestModules.length > 0;

  // Skips what the request does not have: most requests have a bearer token only.
  const authenticateRequest: AuthenticatorFunction = (request, waiter, trace) => {
    if (hasClientCertificate(request) || hasWebsocketProtocol(request)) {
      return orAnonymousDecision(
        firstAccepted(requestAuthenticators, request, waiter, trace),
        request,
        waiter,
        trace,
      );
    }
    return request.token === undefined
      ? anonymous.decide(request, waiter, trace)
      : authenticateBearerToken(request, waiter, trace);
  };

  const authenticateFor: AuthenticateRequest = (request, waiter) => {
    if (
      request.token === undefined ||
      hasClientCertificate(request) ||
      hasWebsocketProtocol(request)
    ) {
      return authenticateRequest(request, waiter);
    }
    const cached = decideCached(request, reveal(request.token), waiter);
    if (cached === undefined) return authenticateRequest(request, waiter);
    return cached instanceof Promise ? cached.then(decisionOf) : cached.decision;
  };

  const connection = (): AuthenticateRequest => {
    let last: (CachedDecision & { readonly token: string; readonly audiences: string }) | undefined;
    return (request, waiter) => {
      if (request.token === undefined || cache === undefined || hasClientCertificate(request)) {
        return authenticateRequest(request, waiter);
      }
      const token = reveal(request.token);
      const audiences = request.audiences.length === 0 ? '' : JSON.stringify(request.audiences);
      if (
        last !== undefined &&
        last.token === token &&
        last.audiences === audiences &&
        last.expiresAt > clock.monotonic()
      ) {
        cache.countHit();
        return last.decision;
      }
      if (hasWebsocketProtocol(request)) return authenticateRequest(request, waiter);
      const cached = decideCached(request, token, waiter);
      if (cached === undefined) return authenticateRequest(request, waiter);
      if (cached instanceof Promise) return cached.then(decisionOf);
      last = fitsConnectionCache(cached, token)
        ? { decision: cached.decision, expiresAt: cached.expiresAt, token, audiences }
        : undefined;
      return cached.decision;
    };
  };

  return {
    graph,
    authenticate: (request, signal, trace) => authenticateRequest(request, { signal }, trace),
    authenticateFor,
    connection,
    readiness: () => jwt.issuers(),
    waitForDiscovery: (signal) => untilAborted(jwt.firstAttempts, signal),
    close() {
      cache?.close();
      return jwt.close();
    },
  };
};

const decisionOf = ({ decision }: CachedDecision): Decision => decision;

/** The maximum length of a token and size of its decision that a connection caches itself. */
const maxConnectionCacheSize = 8 * 1024;

const fitsConnectionCache = ({ decision }: CachedDecision, token: string): boolean =>
  decision.kind === 'accepted' &&
  token.length <= maxConnectionCacheSize &&
  decisionBytes(decision) <= maxConnectionCacheSize;

/** Checked first, because parsing the header is needed for few requests. */
const hasWebsocketProtocol = ({ headers }: AuthenticationRequest): boolean =>
  headers !== undefined && firstHeader(headers, 'sec-websocket-protocol') !== undefined;

/** Creates the rejection of an invalid WebSocket header, which belongs to no authenticator. */
const rejectedHeader = (message: string): Decision => ({
  kind: 'rejected',
  reason: { code: 'AG5027', message },
});

/** Returns the function of an authenticator with kube-apiserver's default audiences and groups. */
const authenticatorFunctionOf = (
  module: FlagModule,
  apiAudiences: readonly string[],
): AuthenticatorFunction => {
  const { authenticator } = module;
  const authenticate: AuthenticatorFunction = (...args) => authenticator.decide(...args);
  const authenticateWithAudiences =
    module.audiences === 'agnostic' ? audienceAgnostic(apiAudiences, authenticate) : authenticate;
  /** Completes a decision that an authenticator caches only once. */
  const completed = new WeakMap<Decision, Decision>();
  const complete = (decision: Decision): Decision => {
    if (decision.kind !== 'accepted') return decision;
    const cached = completed.get(decision);
    if (cached !== undefined) return cached;
    const withDefaults = addDefaults(decision, decision.audiences);
    completed.set(decision, withDefaults);
    return withDefaults;
  };
  return (...args) => {
    const decision = authenticateWithAudiences(...args);
    return decision instanceof Promise ? decision.then(complete) : complete(decision);
  };
};
