/**
 * Decides who a valid token with these claims would be. It runs the server's own mapping, without
 * the checks of the token itself.
 */
import { linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import { traceMapping } from '../../authenticators/jwt/mapping-trace.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { decisionOf, nodeOfClaims, ownClaim } from './claims-decision.ts';
import { tokenChecks } from './token-checks.ts';
import type { WhoamiAnswer, WhoamiOptions } from './whoami-answer.ts';

/** The options for claims without a token. */
export interface ClaimsOptions extends WhoamiOptions {
  /** Milliseconds since 1970, for notes about `exp` and `nbf`. */
  readonly now: number;
}

/**
 * Decides claims as if a valid token contained them: the authenticator of their `iss`, its mappings
 * and its rules. Audience and times are not enforced; the steps report if a token would fail on
 * them.
 */
export const whoamiClaims = (
  graph: AuthenticatorGraph,
  claims: ClaimSet,
  options: ClaimsOptions,
): WhoamiAnswer => {
  const steps: TraceStep[] = [];
  const answer = (decision: Decision): WhoamiAnswer => ({
    decision,
    steps: options.explain ? steps : [],
    signature: 'skipped',
  });
  const node = nodeFor(graph, claims, steps);
  if (node === undefined) return answer(noOpinion);
  steps.push(
    {
      at: node.id,
      what: 'signature',
      outcome: 'skipped',
      detail: 'not verified: claims have no signature',
    },
    ...tokenNotes(node, claims, options.now),
  );
  const sink = { step: (step: TraceStep) => steps.push(step) };
  const outcome = mapClaims(linkMapping(node, planSerialized), claims, {
    mode: options.mode,
    credentialIdKey: tokenCredentialIdKey(graph.apiDomain, graph.targetRelease),
    ...(options.explain ? { trace: traceMapping(sink) } : {}),
  });
  return answer(decisionOf(outcome));
};

/**
 * Finds the authenticator by `iss`; claims without `iss` belong to the only authenticator, if there
 * is just one.
 */
const nodeFor = (
  graph: AuthenticatorGraph,
  claims: ClaimSet,
  steps: TraceStep[],
): JwtNode | undefined => {
  const issuer = ownClaim(claims, 'iss');
  const found = nodeOfClaims(graph.nodes, claims);
  if (issuer === undefined && found !== undefined) {
    steps.push({
      at: found.id,
      what: 'issuer',
      outcome: 'note',
      detail: `the claims have no iss; evaluated for the only issuer, ${JSON.stringify(found.issuerUrl)}`,
    });
    return found;
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
  return found;
};

/** Returns notes about the checks that a token with these claims would fail before its mapping. */
const tokenNotes = (node: JwtNode, claims: ClaimSet, now: number): readonly TraceStep[] =>
  tokenChecks(node, claims, now).filter(({ outcome }) => outcome === 'note');
