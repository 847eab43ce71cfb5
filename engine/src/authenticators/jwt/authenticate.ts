/**
 * The JWT authenticator: the token's issuer selects the node, the node verifies the token, and the
 * claims are mapped to a user. A token of an issuer that is not configured gets no opinion.
 */
import { lazyVariablesSince } from '../../cel/evaluate/plan/unstructured.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { readObjectWithIntegers } from '../../formats/json-with-shape.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxIssuerBodyBytes, maxTokenLength } from '../../model/limits.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Release } from '../../model/release.ts';
import { reveal } from '../../model/secret.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type HeaderReading, memoizedHeaderReader } from '../../signed-token/header.ts';
import { type PeekedToken, payloadBytes } from '../../signed-token/parse.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { Authenticator, Readiness } from '../module.ts';
import { peekRequest } from '../peek-token.ts';
import { type ClaimSourceOutcome, type ClaimSources, claimSources } from './distributed-claims.ts';
import { type Issuer, type IssuerOptions, startIssuer } from './issuer.ts';
import type { KeyRefetch } from './issuer-keys.ts';
import { issuerMetrics } from './issuer-metrics.ts';
import { conversionError, linkMapping, memoizedPlan, type PlanExpression } from './link-mapping.ts';
import { type MappingOptions, type MappingOutcome, mapClaims } from './map-claims.ts';
import { traceMapping } from './mapping-trace.ts';
import type { JwtNode } from './node.ts';
import {
  claimsNotConverted,
  distributedPrefix,
  issuerNotReady,
  tokenTooLong,
  verifyPrefix,
} from './rejections.ts';

export interface JwtOptions {
  readonly mode: Mode;
  /** The release of the graph, whose behavior is followed. */
  readonly release: Release;
  readonly refetch: KeyRefetch;
  /** The feature gate StructuredAuthenticationConfigurationJWKSMetrics. */
  readonly keySetMetrics: boolean;
  /** The API domain of the graph, which is part of reserved names. */
  readonly apiDomain: string;
}

/** The authenticators of all `jwt` entries. */
export interface JwtAuthenticators extends Required<Authenticator> {
  issuers(): readonly (Readiness & { readonly id: string })[];
  /** Settles once discovery has been attempted for every issuer. */
  readonly firstAttempts: Promise<void>;
}

/**
 * Creates the authenticators. Each step starts one node and the discovery of its issuer; the last
 * step returns all of them.
 */
export function* linkJwt(
  nodes: readonly JwtNode[],
  ports: Ports,
  options: JwtOptions,
): Generator<undefined, JwtAuthenticators> {
  const readHeader = memoizedHeaderReader();
  const plan = memoizedPlan();
  const linkedNodes: LinkedNode[] = [];
  let isComplete = false;
  try {
    for (const node of nodes) {
      linkedNodes.push(startNode(node, { ports, options, readHeader, plan }));
      yield;
    }
    isComplete = true;
    return combineNodes(linkedNodes, options);
  } finally {
    // If a node cannot be started, the discovery of the earlier ones must be stopped here.
    if (!isComplete) for (const linked of linkedNodes) linked.close();
  }
}

const combineNodes = (
  linkedNodes: readonly LinkedNode[],
  options: JwtOptions,
): JwtAuthenticators => {
  const nodeByIssuer = new Map(linkedNodes.map((linked) => [linked.node.issuerUrl, linked]));
  return {
    authenticate(request, waiter, trace) {
      if (request.token === undefined) return noOpinion;
      const token = reveal(request.token);
      if (token.length > maxTokenLength && differs(options.mode, 'token-size')) return tooLong;
      const peeked = peekRequest(request);
      if (peeked === undefined) {
        traceMalformedToken(trace);
        return noOpinion;
      }
      const linked = nodeByIssuer.get(peeked.payload.issuer);
      if (linked === undefined) {
        traceUnknownIssuer(trace, linkedNodes, peeked.payload.issuer);
        return noOpinion;
      }
      return linked.authenticate(peeked, waiter, trace);
    },
    issuers: () => linkedNodes.map(readinessOf),
    firstAttempts: Promise.all(linkedNodes.map(({ issuer }) => issuer.firstAttempt)).then(
      () => undefined,
    ),
    close() {
      for (const linked of linkedNodes) linked.close();
      return Promise.resolve();
    },
  };
};

interface LinkedNode {
  readonly node: JwtNode;
  readonly issuer: Issuer;
  authenticate(
    token: PeekedToken,
    waiter: Waiter,
    trace: TraceSink | undefined,
  ): MaybePromise<Decision>;
  close(): void;
}

interface NodeContext {
  readonly ports: Ports;
  readonly options: JwtOptions;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  /** Plans expressions so that equal ones of different nodes share a program. */
  readonly plan: PlanExpression;
}

const readinessOf = ({ node, issuer }: LinkedNode): Readiness & { readonly id: string } => {
  const error = issuer.error();
  return error === undefined
    ? { id: node.id, isReady: true }
    : {
        id: node.id,
        isReady: false,
        reason: `oidc: authenticator for issuer ${goQuote(node.issuerUrl)} is not healthy: ${error}`,
      };
};

const traceMalformedToken = (trace: TraceSink | undefined): void => {
  trace?.step({
    at: 'jwt',
    what: 'token form',
    outcome: 'skipped',
    detail: 'the credential is not a compact JWT with readable claims',
  });
};

const traceUnknownIssuer = (
  trace: TraceSink | undefined,
  linkedNodes: readonly LinkedNode[],
  issuer: string,
): void => {
  for (const { node } of trace === undefined ? [] : linkedNodes) {
    trace?.step({
      at: node.id,
      what: 'issuer',
      outcome: 'skipped',
      detail: `iss is ${JSON.stringify(issuer)}; the issuer of this authenticator is ${JSON.stringify(node.issuerUrl)}`,
    });
  }
};

const traceDistributedClaims = (
  trace: TraceSink | undefined,
  at: string,
  outcome: ClaimSourceOutcome,
): void => {
  const what = 'distributed claims';
  if (outcome.kind === 'value') trace?.step({ at, what, outcome: 'value', value: outcome.value });
  if (outcome.kind === 'failed') {
    trace?.step({ at, what, outcome: 'failed', detail: outcome.rejection.message });
  }
};

const rejected = ({ code, message }: Rejection, at: string, prefix = ''): Decision => ({
  kind: 'rejected',
  by: 'jwt',
  reason: { code, message: prefix + message, at },
});

const tooLong: Decision = {
  kind: 'rejected',
  by: 'jwt',
  reason: rejectionOf(tokenTooLong),
};

const startNode = (node: JwtNode, context: NodeContext): LinkedNode => {
  const { ports, options } = context;
  const { clock } = ports;
  const metrics = issuerMetrics(node.issuerUrl, ports);
  const issuerOptions: IssuerOptions = {
    ...node,
    ...options,
    needsJwksUrl: true,
    readHeader: context.readHeader,
    ports,
    onFetch: options.keySetMetrics ? metrics.keysFetched : undefined,
  };
  const issuer = startIssuer(issuerOptions);
  const mapping = linkMapping(node, context.plan);
  const sources = linkSources(node, issuerOptions);

  const untraced: MappingOptions = {
    mode: options.mode,
    credentialIdKey: tokenCredentialIdKey(options.apiDomain, options.release),
  };

  const convertsClaims = options.release < lazyVariablesSince && mapping.hasExpressions;
  const claimsOf = ({ payload, parts }: PeekedToken): ClaimSet =>
    convertsClaims && payload.shape.hasUnusualNumber
      ? { ...payload, withIntegers: readObjectWithIntegers(payloadBytes(parts)) }
      : payload;

  const map = (token: PeekedToken, trace: TraceSink | undefined, claims: ClaimSet): Decision => {
    if (convertsClaims) {
      const problem = conversionError(claims);
      if (problem !== undefined) return rejected(rejectionOf(claimsNotConverted, problem), node.id);
    }
    const mappingOptions =
      trace === undefined ? untraced : { ...untraced, trace: traceMapping(trace) };
    return userDecision(mapClaims(mapping, claims, mappingOptions), token);
  };

  const expand = async (
    token: PeekedToken,
    waiter: Waiter,
    trace: TraceSink | undefined,
  ): Promise<Decision> => {
    const outcome = (await sources?.resolve(token, waiter)) ?? { kind: 'nothing' };
    traceDistributedClaims(trace, node.id, outcome);
    const { claims, unreadable, withIntegers } = claimsOf(token);
    switch (outcome.kind) {
      case 'failed':
        return rejected(outcome.rejection, node.id, distributedPrefix);
      case 'nothing':
        return map(token, trace, claimsOf(token));
      case 'value': {
        const name = groupsClaim(node) ?? '';
        const expanded = { claims: withClaim(claims, name, outcome.value), unreadable };
        if (withIntegers === undefined) return map(token, trace, expanded);
        const exact = withClaim(withIntegers, name, outcome.value);
        return map(token, trace, { ...expanded, withIntegers: exact });
      }
    }
  };

  const afterChecks = (
    problem: 'not-ready' | Rejection | undefined,
    token: PeekedToken,
    waiter: Waiter,
    trace: TraceSink | undefined,
  ): MaybePromise<Decision> => {
    if (problem === 'not-ready') return rejected(rejectionOf(issuerNotReady), node.id);
    if (problem !== undefined) return rejected(problem, node.id, verifyPrefix);
    return sources?.isNeeded(token.payload)
      ? expand(token, waiter, trace)
      : map(token, trace, claimsOf(token));
  };

  return {
    node,
    issuer,
    authenticate(token, waiter, trace) {
      const started = metrics.started();
      const { id: at, issuerUrl } = node;
      trace?.step({ at, what: 'issuer', outcome: 'passed', detail: issuerUrl });
      const traced = trace && { at, sink: trace };
      const problem = issuer.verify(token, { now: clock.now(), waiter, trace: traced });
      const deciding = andThen(problem, (settled) => afterChecks(settled, token, waiter, trace));
      return andThen(deciding, (decision) => metrics.decided(decision, started));
    },
    close() {
      issuer.close();
      sources?.close();
    },
  };
};

const userDecision = (outcome: MappingOutcome, { payload }: PeekedToken): Decision => {
  if (outcome.kind === 'rejected') return rejected(outcome, outcome.at);
  const { standard } = payload;
  const expiry = standard.kind === 'claims' ? Number(standard.claims.expiry) : 0;
  return {
    kind: 'accepted',
    user: outcome.user,
    audiences: [],
    by: 'jwt',
    expiresAtMs: expiry * 1000,
  };
};

const groupsClaim = ({ groups }: JwtNode): string | undefined =>
  groups?.kind === 'claim' ? groups.claim : undefined;

/**
 * Creates the sources of distributed claims. Their tokens are verified with the audiences and
 * algorithms of the node.
 */
const linkSources = (node: JwtNode, options: IssuerOptions): ClaimSources | undefined => {
  const claim = groupsClaim(node);
  if (claim === undefined) return undefined;
  const { ports, mode } = options;
  const { now } = ports.clock;
  return claimSources({
    claim,
    certificateAuthority: node.certificateAuthority,
    maxBodyBytes: differs(mode, 'bounded-bodies') ? maxIssuerBodyBytes : Number.MAX_SAFE_INTEGER,
    httpsOnly: differs(mode, 'https-only'),
    ports,
    startVerifier: (issuerUrl) => {
      const issuer = startIssuer({
        ...options,
        issuerUrl,
        discoveryUrl: undefined,
        needsJwksUrl: false,
        onFetch: undefined,
      });
      return {
        verify: (token, waiter) => issuer.verify(token, { now: now(), waiter, trace: undefined }),
        close: () => issuer.close(),
      };
    },
  });
};

const withClaim = <Value>(
  claims: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> =>
  // `fromEntries` creates own members whatever the name, `__proto__` included.
  Object.fromEntries([...Object.entries(claims), [name, value]]);
