/**
 * Decides who a valid token with these claims would be. It runs the server's own mapping, without
 * the checks of the token itself.
 */
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import { type MappingTrace, traceMapping } from '../../authenticators/jwt/mapping-trace.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { verifyPrefix } from '../../authenticators/jwt/rejections.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { TraceStep } from '../../model/trace.ts';
import { type ClaimSet, readPayload, type TokenPayload } from '../../signed-token/payload.ts';
import { claimsRejection } from '../../signed-token/verify.ts';
import { decisionOf, nodeOfClaims, ownClaim } from './claims-decision.ts';
import { tokenChecks } from './token-checks.ts';
import type { WhoamiAnswer, WhoamiOptions } from './whoami-answer.ts';

/** The options for claims without a token. */
export interface ClaimsOptions extends WhoamiOptions {
  /** Milliseconds since 1970, for notes about `exp` and `nbf`. */
  readonly now: number;
  /** Whether to enforce issuer, audience and times, as for a token. */
  readonly strict?: boolean;
  /** Returns the mapping of an authenticator; a caller with many claims links each one once. */
  readonly mappingOf?: (node: JwtNode) => LinkedMapping;
  /** Called with the cost of all expressions; only if `explain` is set. */
  readonly onCost?: (cost: number) => void;
}

/**
 * Decides claims as if a valid token contained them: the authenticator of their `iss`, its mappings
 * and its rules. Unless `strict` is set, audience and times are not enforced; the answer and its
 * steps report if a token would fail on them.
 */
export const whoamiClaims = (
  graph: AuthenticatorGraph,
  claims: ClaimSet,
  options: ClaimsOptions,
): WhoamiAnswer => {
  const steps: TraceStep[] = [];
  const answer = (decision: Decision, unenforced: readonly string[] = []): WhoamiAnswer => ({
    decision,
    steps: options.explain ? steps : [],
    signature: 'skipped',
    unenforced,
  });
  const node = nodeOfClaims(graph.nodes, claims);
  if (options.explain) traceIssuers(graph, { claims, found: node }, steps);
  if (node === undefined) return answer(noOpinion);
  // Enforced checks are part of the decision; without a trace they need no note.
  const checks =
    options.strict === true && !options.explain ? [] : tokenChecks(node, claims, options.now);
  if (options.explain)
    steps.push(
      {
        at: node.id,
        what: 'signature',
        outcome: 'skipped',
        detail: 'not verified: claims have no signature',
      },
      // A token that would pass needs no note.
      ...checks.filter(({ outcome }) => outcome === 'note'),
    );
  const refused = options.strict ? refusedClaims(node, claims, options.now) : undefined;
  if (refused !== undefined) return answer(refused);
  const sink = { step: (step: TraceStep) => steps.push(step) };
  const mapping = options.mappingOf?.(node) ?? linkMapping(node, planSerialized);
  const meter = { spent: 0 };
  const outcome = mapClaims(mapping, claims, {
    mode: options.mode,
    credentialIdKey: tokenCredentialIdKey(graph.apiDomain, graph.targetRelease),
    ...(options.explain ? { trace: meteredTrace(traceMapping(sink), meter) } : {}),
  });
  options.onCost?.(meter.spent);
  const unenforced = options.strict ? [] : differingClaims(checks, claims);
  return answer(decisionOf(outcome), unenforced);
};

/** Adds the cost of every evaluation to the meter. */
const meteredTrace = (trace: MappingTrace, meter: { spent: number }): MappingTrace => ({
  ...trace,
  evaluate(expression, place) {
    const evaluation = trace.evaluate(expression, place);
    meter.spent += evaluation.cost;
    return evaluation;
  },
});

/**
 * Adds how the authenticator was found by `iss`; claims without `iss` belong to the only
 * authenticator, if there is just one.
 */
const traceIssuers = (
  graph: AuthenticatorGraph,
  { claims, found }: { readonly claims: ClaimSet; readonly found: JwtNode | undefined },
  steps: TraceStep[],
): void => {
  const issuer = ownClaim(claims, 'iss');
  if (issuer === undefined && found !== undefined) {
    steps.push({
      at: found.id,
      what: 'issuer',
      outcome: 'note',
      detail: `the claims have no iss; evaluated for the only issuer, ${JSON.stringify(found.issuerUrl)}`,
    });
    return;
  }
  for (const { id, issuerUrl } of graph.nodes)
    steps.push(
      id === found?.id
        ? { at: id, what: 'issuer', outcome: 'passed', value: issuerUrl }
        : {
            at: id,
            what: 'issuer',
            outcome: 'skipped',
            detail: `iss is ${JSON.stringify(issuer ?? null)}; the issuer of this authenticator is ${JSON.stringify(issuerUrl)}`,
          },
    );
  // The mapping steps follow the other steps of their authenticator.
  steps.sort((a, b) => Number(a.at === found?.id) - Number(b.at === found?.id));
};

/** Claims that were read as the payload of a token need not be read again. */
const isPayload = (claims: ClaimSet): claims is TokenPayload => 'standard' in claims;

/** Returns the decision about a token with these claims if it would not reach the mappings. */
export const refusedClaims = (
  node: JwtNode,
  claims: ClaimSet,
  now: number,
): Decision | undefined => {
  const payload = isPayload(claims)
    ? claims
    : readPayload(new TextEncoder().encode(JSON.stringify(claims.claims)));
  const { issuerUrl: issuer, audiences } = node;
  const problem = payload && claimsRejection(payload, { issuer, audiences }, now);
  if (problem === undefined) return undefined;
  const { code, message } = problem;
  const reason = { code, message: `${verifyPrefix}${message}`, at: node.id };
  return { kind: 'rejected', by: 'jwt', reason };
};

/** Returns the failed checks of claims that are present; samples often have no `aud` and `exp`. */
const differingClaims = (checks: readonly TraceStep[], claims: ClaimSet): readonly string[] =>
  checks.flatMap(({ what, outcome, detail }) =>
    outcome === 'note' &&
    detail !== undefined &&
    ownClaim(claims, what === 'audience' ? 'aud' : what) !== undefined
      ? [detail]
      : [],
  );
