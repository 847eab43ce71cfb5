/** A graph and the ports -> authenticators at work. */
import type { Readiness } from '../authenticators/module.ts';
import {
  type LinkedModules,
  linkModules,
  noFlagModules,
  type RegistryOptions,
  type FlagModule,
  type FlagModules,
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
  firstAccepted,
  addDefaults,
  implicitAudiences,
  rejectUnclaimed,
} from './authenticate.ts';
import { type CachedDecision, tokenCache } from './token-cache.ts';
import { untilAborted } from './until-aborted.ts';
import { readWebsocketToken } from './websocket-token.ts';

/** How a graph works beside what its file says. */
export interface LinkOptions {
  /** `exact`: as the real server in every case; `product`: with the deliberate differences. */
  readonly mode: Mode;
  /** `per-token`: as the real server; `throttled`: at most one fruitless fetch in ten seconds. */
  readonly jwksRefetch: RegistryOptions['refetch'];
  /** Whether fetches of key sets are counted; they are where it is absent. */
  readonly keySetMetrics?: boolean;
  /** The server's own audiences, for which modules without any stand; none by default. */
  readonly apiAudiences?: readonly string[];
  /** What flags set up; a change of the configuration file leaves it as it is. */
  readonly flagModules?: FlagModules;
  /** `off`: every request is checked anew. */
  readonly tokenCache?: 'on' | 'off';
  /** Memory of the token cache; unlimited where absent. */
  readonly cacheLimits?: CacheLimits;
}

/** A graph at work: ask it, and close it after its last request. */
export interface LinkedGraph {
  readonly graph: AuthenticatorGraph;
  /** A value where nothing must be waited for. Traced requests are decided anew. */
  authenticate(
    request: AuthenticationRequest,
    signal: AbortSignal,
    trace?: TraceSink,
  ): Decision | Promise<Decision>;
  /** The same for a waiter, whose signal and flow are read only where something must be waited for. */
  authenticateFor: AuthenticateRequest;
  /** The same for the requests of one connection, which mostly carry one token. */
  connection(): AuthenticateRequest;
  readiness(): readonly (Readiness & { readonly id: string })[];
  /** Settles when every issuer had its first try, or the signal is aborted. */
  waitForDiscovery(signal: AbortSignal): Promise<void>;
  /** After its last request. */
  close(): Promise<void>;
}

export type AuthenticateRequest = (
  request: AuthenticationRequest,
  waiter: Waiter,
) => Decision | Promise<Decision>;

/** Starts discovery of every issuer. */
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

/** The same beside other work, for which there is a turn whenever the linking had its share of one. */
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

/** Of the main thread, while requests wait. */
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

  // What a request cannot be asked about is not asked: most bring a token and nothing else.
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

/** Characters of a token, and bytes of its decision, that each connection may remember by itself. */
const maxConnectionCacheSize = 8 * 1024;

const fitsConnectionCache = ({ decision }: CachedDecision, token: string): boolean =>
  decision.kind === 'accepted' &&
  token.length <= maxConnectionCacheSize &&
  decisionBytes(decision) <= maxConnectionCacheSize;

/** The reading itself is for those that bring the field. */
const hasWebsocketProtocol = ({ headers }: AuthenticationRequest): boolean =>
  headers !== undefined && firstHeader(headers, 'sec-websocket-protocol') !== undefined;

/** The layer of web sockets speaks for no module. */
const rejectedHeader = (message: string): Decision => ({
  kind: 'rejected',
  reason: { code: 'AG5027', message },
});

/** A standing module as the union asks it: with audiences and group as the real server gives them. */
const authenticatorFunctionOf = (
  module: FlagModule,
  apiAudiences: readonly string[],
): AuthenticatorFunction => {
  const { authenticator } = module;
  const authenticate: AuthenticatorFunction = (...args) => authenticator.decide(...args);
  const authenticateWithAudiences =
    module.audiences === 'agnostic' ? audienceAgnostic(apiAudiences, authenticate) : authenticate;
  /** A module that remembers its decision gets the same one completed only once. */
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
