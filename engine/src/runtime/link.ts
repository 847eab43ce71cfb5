/** A graph and the ports -> authenticators at work. */
import type { Readiness } from '../authenticators/module.ts';
import {
  type LinkedModules,
  linkModules,
  noStandingModules,
  type RegistryOptions,
  type StandingModule,
  type StandingModules,
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
  type Asked,
  askInOrder,
  completeAccepted,
  implicitAudiences,
  refuseUnclaimed,
} from './authenticate.ts';
import { type KeptDecision, tokenCache } from './token-cache.ts';
import { orAborted } from './until-aborted.ts';
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
  readonly standing?: StandingModules;
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
  healthy(signal: AbortSignal): Promise<void>;
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
    if (done) return join(graph, value, { ports, options });
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
    if (done) return join(graph, value, { ports, options });
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

const join = (
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
  const standing = options.standing ?? noStandingModules;
  const requestModules = standing.requests.map((module) => askedOf(module, apiAudiences));

  const decideByJwt: Asked = (request, waiter, trace) => {
    const audiences = implicitAudiences(apiAudiences, request.audiences);
    if (audiences === undefined) return noOpinion;
    const decision = jwt.decide(request, waiter, trace);
    return decision instanceof Promise
      ? decision.then((settled) => completeAccepted(settled, audiences))
      : completeAccepted(decision, audiences);
  };

  const tokenModules = [
    ...standing.tokensBeforeJwt.map((module) => askedOf(module, apiAudiences)),
    decideByJwt,
    ...standing.tokensAfterJwt.map((module) => askedOf(module, apiAudiences)),
  ];
  const askTokenModules: Asked =
    tokenModules.length === 1 ? decideByJwt : (...asked) => askInOrder(tokenModules, ...asked);

  const decideToken: Asked = (request, waiter, trace) => {
    const decision = askTokenModules(request, waiter, trace);
    return decision instanceof Promise ? decision.then(refuseUnclaimed) : refuseUnclaimed(decision);
  };

  const lookUp = (
    request: AuthenticationRequest,
    token: string,
    waiter: Waiter,
  ): KeptDecision | Promise<KeptDecision> | undefined =>
    cache?.decide(
      { token, audiences: request.audiences },
      (check) => decideToken(request, check),
      waiter,
    );

  const askToken: Asked = (request, waiter, trace) => {
    if (request.token === undefined) return noOpinion;
    if (trace !== undefined) return decideToken(request, waiter, trace);
    const kept = lookUp(request, reveal(request.token), waiter);
    if (kept === undefined) return decideToken(request, waiter);
    return kept instanceof Promise ? kept.then(decisionOf) : kept.decision;
  };

  const askWebsocket: Asked = (request, waiter, trace) => {
    const { headers } = request;
    if (headers === undefined) return noOpinion;
    const reading = readWebsocketToken(headers, graph);
    if (reading.kind === 'none') return noOpinion;
    if (reading.kind === 'error') return refusedHeader(reading.message);
    return askToken({ ...request, token: reading.token }, waiter, trace);
  };

  const inOrder = [...requestModules, askToken, askWebsocket];
  const orAnonymous = (
    decision: Decision | Promise<Decision>,
    ...question: Parameters<Asked>
  ): Decision | Promise<Decision> => {
    const orNobody = (settled: Decision): Decision | Promise<Decision> =>
      settled.kind === 'noOpinion' ? anonymous.decide(...question) : settled;
    return decision instanceof Promise ? decision.then(orNobody) : orNobody(decision);
  };

  const isCertified = ({ certificates }: AuthenticationRequest): boolean =>
    certificates !== undefined && requestModules.length > 0;

  // What a request cannot be asked about is not asked: most bring a token and nothing else.
  const authenticateTraced: Asked = (request, waiter, trace) => {
    if (isCertified(request) || bringsWebsocket(request)) {
      return orAnonymous(askInOrder(inOrder, request, waiter, trace), request, waiter, trace);
    }
    return request.token === undefined
      ? anonymous.decide(request, waiter, trace)
      : askToken(request, waiter, trace);
  };

  const authenticateFor: AuthenticateRequest = (request, waiter) => {
    if (request.token === undefined || isCertified(request) || bringsWebsocket(request)) {
      return authenticateTraced(request, waiter);
    }
    const kept = lookUp(request, reveal(request.token), waiter);
    if (kept === undefined) return authenticateTraced(request, waiter);
    return kept instanceof Promise ? kept.then(decisionOf) : kept.decision;
  };

  const connection = (): AuthenticateRequest => {
    let last: (KeptDecision & { readonly token: string; readonly audiences: string }) | undefined;
    return (request, waiter) => {
      if (request.token === undefined || cache === undefined || isCertified(request)) {
        return authenticateTraced(request, waiter);
      }
      const token = reveal(request.token);
      const audiences = request.audiences.length === 0 ? '' : JSON.stringify(request.audiences);
      if (
        last !== undefined &&
        last.token === token &&
        last.audiences === audiences &&
        last.endsAt > clock.monotonic()
      ) {
        cache.countHit();
        return last.decision;
      }
      if (bringsWebsocket(request)) return authenticateTraced(request, waiter);
      const kept = lookUp(request, token, waiter);
      if (kept === undefined) return authenticateTraced(request, waiter);
      if (kept instanceof Promise) return kept.then(decisionOf);
      last = isSmall(kept, token)
        ? { decision: kept.decision, endsAt: kept.endsAt, token, audiences }
        : undefined;
      return kept.decision;
    };
  };

  return {
    graph,
    authenticate: (request, signal, trace) => authenticateTraced(request, { signal }, trace),
    authenticateFor,
    connection,
    readiness: () => jwt.issuers(),
    healthy: (signal) => orAborted(jwt.firstTries, signal),
    close() {
      cache?.close();
      return jwt.close();
    },
  };
};

const decisionOf = ({ decision }: KeptDecision): Decision => decision;

/** Characters of a token, and bytes of its decision, that each connection may remember by itself. */
const maxRemembered = 8 * 1024;

const isSmall = ({ decision }: KeptDecision, token: string): boolean =>
  decision.kind === 'accepted' &&
  token.length <= maxRemembered &&
  decisionBytes(decision) <= maxRemembered;

/** The reading itself is for those that bring the field. */
const bringsWebsocket = ({ headers }: AuthenticationRequest): boolean =>
  headers !== undefined && firstHeader(headers, 'sec-websocket-protocol') !== undefined;

/** The layer of web sockets speaks for no module. */
const refusedHeader = (message: string): Decision => ({
  kind: 'rejected',
  reason: { code: 'AG5027', message },
});

/** A standing module as the union asks it: with audiences and group as the real server gives them. */
const askedOf = (module: StandingModule, apiAudiences: readonly string[]): Asked => {
  const { authenticator } = module;
  const ask: Asked = (...question) => authenticator.decide(...question);
  const asked = module.audiences === 'agnostic' ? audienceAgnostic(apiAudiences, ask) : ask;
  /** A module that remembers its decision gets the same one completed only once. */
  const completed = new WeakMap<Decision, Decision>();
  const complete = (decision: Decision): Decision => {
    if (decision.kind !== 'accepted') return decision;
    const known = completed.get(decision);
    if (known !== undefined) return known;
    const whole = completeAccepted(decision, decision.audiences);
    completed.set(decision, whole);
    return whole;
  };
  return (...question) => {
    const decision = asked(...question);
    return decision instanceof Promise ? decision.then(complete) : complete(decision);
  };
};
