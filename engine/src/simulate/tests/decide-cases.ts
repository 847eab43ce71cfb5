/**
 * Decides the cases of a test file with one compiled graph, which is linked once. Claims run through
 * the mappings and rules of the server; tokens are verified by the server's authenticators with the
 * public parts of test keys; whole requests are decided by the function that the caller passes.
 */
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Decision } from '../../model/decision.ts';
import type { Secret } from '../../model/secret.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { Ports } from '../../ports/ports.ts';
import { rejectUnclaimed } from '../../runtime/combine-decisions.ts';
import { type LinkedGraph, link } from '../../runtime/link.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { nodeOfClaims } from '../whoami/claims-decision.ts';
import { offlineIssuers } from '../whoami/offline-issuers.ts';
import { whoamiClaims } from '../whoami/whoami-claims.ts';
import type { CaseDecider, CaseOutcome } from './case-result.ts';
import { issuerOf } from './claim-layers.ts';
import {
  type SigningAlgorithm,
  type TestClaims,
  type TestRequest,
  type TokenSigning,
  testAlgorithms,
} from './test-case.ts';

/** Signs tokens with keys that exist only in memory, while the cases run. */
export interface TestTokens {
  /** The public keys, which every issuer publishes, as a JWK set. */
  keySet(): Promise<string>;
  sign(payload: string, signing: ResolvedSigning): Promise<Secret<string>>;
}

/** How a token is signed, once the algorithm is chosen. */
export type ResolvedSigning = TokenSigning & { readonly algorithm: SigningAlgorithm };

/** The time that the ports of a graph report. */
export interface TestClock {
  now: number;
}

export interface DeciderOptions {
  /** Absent where tokens cannot be signed; token cases then fail. */
  readonly tokens?: TestTokens;
  /** The ports of the linked graph, without a network; their clock reports the time of `clock`. */
  readonly ports?: Omit<Ports, 'http'>;
  readonly clock: TestClock;
  /** Decides whole requests. */
  readonly decideRequest?: DecideRequest;
}

/** Decides the request of a case, with the token that was signed for it. */
export type DecideRequest = (
  request: TestRequest,
  options: { readonly token: Secret<string> | undefined; readonly trace: boolean },
) => Promise<Pick<CaseOutcome, 'decision' | 'answeredWith' | 'impersonation' | 'steps'>>;

/** Links the graph on demand: a file with claims alone needs no keys. */
export const createCaseDecider = (
  graph: AuthenticatorGraph,
  { tokens, ports, clock, decideRequest }: DeciderOptions,
): CaseDecider => {
  const mappings = new Map<JwtNode, LinkedMapping>();
  const mappingOf = (node: JwtNode): LinkedMapping => {
    const mapping = mappings.get(node) ?? linkMapping(node, planSerialized);
    mappings.set(node, mapping);
    return mapping;
  };
  const decideClaims = (claims: TestClaims, now: number, trace: boolean): CaseOutcome => {
    let cost = 0;
    const { decision, steps } = whoamiClaims(graph, claims, {
      mode: 'product',
      explain: trace,
      now,
      strict: true,
      mappingOf,
      onCost(spent) {
        cost = spent;
      },
    });
    return caseOutcome(graph, { decision, issuer: issuerOf(claims), cost, steps });
  };

  let linking: Promise<LinkedGraph> | undefined;
  const linkOnce = async (
    linkPorts: Omit<Ports, 'http'>,
    { keySet }: TestTokens,
  ): Promise<LinkedGraph> => {
    const http = offlineIssuers(graph, { kind: 'one', text: await keySet() });
    const linked = link(graph, { ...linkPorts, http }, { mode: 'product', tokenCache: 'off' });
    await linked.waitForDiscovery(AbortSignal.timeout(discoveryMs));
    return linked;
  };

  const signed = new WeakMap<TestClaims, Promise<Secret<string>>>();
  const signToken = (
    signer: TestTokens,
    claims: TestClaims,
    signing: TokenSigning,
  ): Promise<Secret<string>> => {
    const algorithm = algorithmOf(graph, claims, signing);
    const token = signed.get(claims) ?? signer.sign(claims.payload, { ...signing, algorithm });
    signed.set(claims, token);
    return token;
  };
  const { signal } = new AbortController();

  return {
    prepare({ input }) {
      const token =
        input.kind === 'request' ? input.token : input.kind === 'token' ? input : undefined;
      if (tokens === undefined || token === undefined) return;
      // An error is that of the case, which waits for the same promise.
      signToken(tokens, token.claims, token.signing).catch(() => undefined);
    },
    async decide({ input, now, expected }, { trace }) {
      const needsCost = expected.maxCost !== undefined;
      if (input.kind === 'claims') return decideClaims(input.claims, now, trace || needsCost);
      if (tokens === undefined || ports === undefined)
        throw new Error('unreachable: a case that needs a token without a signer');
      clock.now = now;
      if (input.kind === 'request') {
        const { token } = input;
        if (decideRequest === undefined)
          throw new Error('unreachable: a whole request without a server');
        const signed = token && (await signToken(tokens, token.claims, token.signing));
        const outcome = await decideRequest(input.request, { token: signed, trace });
        const needsExpressions = token !== undefined && (trace || needsCost);
        const cost = needsExpressions ? decideClaims(token.claims, now, true).cost : 0;
        const issuer = token && issuerOf(token.claims);
        return caseOutcome(graph, { ...outcome, issuer, cost });
      }
      const token = await signToken(tokens, input.claims, input.signing);
      linking ??= linkOnce(ports, tokens);
      const linked = await linking;
      const steps: TraceStep[] = [];
      const request = { path: '/', token, audiences: [] };
      const sink = trace ? { step: (step: TraceStep) => steps.push(step) } : undefined;
      const decision = await linked.authenticate(request, signal, sink);
      const cost = trace || needsCost ? decideClaims(input.claims, now, true).cost : 0;
      return caseOutcome(graph, { decision, issuer: issuerOf(input.claims), cost, steps });
    },
    async close() {
      await (await linking)?.close();
    },
  };
};

/** Keys are in memory, so that only a defect can exceed this. */
const discoveryMs = 10_000;

/** Returns the algorithm of a token: the requested one, ES256, or the first that is allowed. */
export const algorithmOf = (
  graph: AuthenticatorGraph,
  claims: TestClaims,
  { algorithm }: TokenSigning,
): SigningAlgorithm => {
  const allowed = nodeOfClaims(graph.nodes, claims)?.signingAlgorithms ?? [];
  const isAllowed = (one: SigningAlgorithm): boolean => allowed.includes(one);
  return algorithm ?? ['ES256' as const, ...testAlgorithms].find(isAllowed) ?? 'ES256';
};

/** Completes the outcome of a decision. */
const caseOutcome = (
  graph: Pick<AuthenticatorGraph, 'nodes'>,
  {
    decision: decided,
    issuer,
    cost,
    steps,
    answeredWith,
    impersonation,
  }: {
    readonly decision: Decision;
    /** The issuer of the token, if there is one. */
    readonly issuer: string | undefined;
    readonly cost: number;
    readonly steps: readonly TraceStep[];
    readonly answeredWith?: CaseOutcome['answeredWith'];
    readonly impersonation?: CaseOutcome['impersonation'];
  },
): CaseOutcome => {
  const decision = rejectUnclaimed(decided);
  const authenticator = authenticatorOf(graph, decision, issuer);
  return { decision, answeredWith, authenticator, impersonation, cost, steps };
};

/** Returns the authenticator that decided: the node of a JWT authenticator, or a module. */
const authenticatorOf = (
  { nodes }: Pick<AuthenticatorGraph, 'nodes'>,
  decision: Decision,
  issuer: string | undefined,
): string => {
  if (decision.kind === 'noOpinion') return 'none';
  if (decision.kind === 'rejected' && decision.reason.code === unclaimedToken.code) return 'none';
  if (decision.by !== 'jwt') return decision.by ?? 'none';
  const at = decision.kind === 'rejected' ? decision.reason.at : undefined;
  return (
    /^jwt\[\d+\]/.exec(at ?? '')?.[0] ??
    nodes.find(({ issuerUrl }) => issuerUrl === issuer)?.id ??
    'jwt'
  );
};
