/** Computes how far the claims of a sample get in a graph, for diagrams and sentences. */

import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { GraphPath, StepMark } from '../../compile/graph-lanes.ts';
import { counted } from '../../formats/counted.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Decision } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { nodeOfClaims } from '../whoami/claims-decision.ts';
import { hasOtherAudience, tokenChecks } from '../whoami/token-checks.ts';
import { headlineOf, oneLine } from './headline.ts';
import { type PreviewStep, previewParts } from './preview-parts.ts';

export interface GraphPathOptions {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Set if no key of the issuer verifies the token, whatever its claims are. */
  readonly refusedByKeys?: { readonly headline: string; readonly note: string } | undefined;
}

/** Returns how far claims get in the graph, for its diagram. */
export const graphPath = (
  graph: AuthenticatorGraph,
  claims: ClaimSet,
  { name, now, refusedByKeys }: GraphPathOptions,
): GraphPath => {
  const node = nodeOfClaims(graph.nodes, claims);
  const request: readonly [string, StepMark] = ['request', { state: 'lit' }];
  if (node === undefined) {
    return {
      name: oneLine(name),
      headline: headlineOf(name, { kind: 'noOpinion' }),
      lane: 'otherwise',
      marks: new Map([request, ['otherwise', { state: 'lit' }], ['rejected', { state: 'failed' }]]),
    };
  }
  if (refusedByKeys !== undefined) {
    return {
      name: oneLine(name),
      headline: refusedByKeys.headline,
      lane: node.id,
      marks: new Map<string, StepMark>([
        request,
        [node.id, { state: 'lit' }],
        // Keys come from the issuer, so its node is marked as failed.
        [`${node.id}.issuer`, { state: 'failed', note: refusedByKeys.note }],
        [`${node.id}.user`, refusedMark],
      ]),
    };
  }
  const { decision, parts } = previewParts(node, claims, {
    credentialIdKey: tokenCredentialIdKey(graph.apiDomain, graph.targetRelease),
    broken: new Set(),
  });
  const [audience] = tokenChecks(node, claims, now);
  return {
    name: oneLine(name),
    headline: headlineOf(name, decision, { otherAudience: hasOtherAudience(node, claims) }),
    lane: node.id,
    marks: new Map<string, StepMark>([
      request,
      [node.id, { state: 'lit' }],
      [`${node.id}.issuer`, { state: 'lit' }],
      [
        `${node.id}.issuer.audiences`,
        // The audience rejects tokens, but not claims alone.
        audience?.outcome === 'note'
          ? { state: 'lit', note: `(!) ${audience.detail}` }
          : { state: 'lit' },
      ],
      ...parts.map((part): [string, StepMark] => [part.path, markOf(part)]),
      [`${node.id}.user`, outcomeMark(decision)],
    ]),
  };
};

const markOf = ({ outcome, reached }: PreviewStep): StepMark => {
  if (!reached || outcome.kind === 'unknown') return { state: 'idle' };
  if (outcome.kind === 'failed') {
    // The message of the rule is already the name of the step.
    const note = outcome.cause === 'false' ? 'is false' : oneLine(outcome.short);
    return { state: 'failed', note };
  }
  if (outcome.kind === 'passed') return { state: 'lit' };
  return { state: 'lit', note: `→ ${oneLine(escapeUnprintable(JSON.stringify(outcome.value)))}` };
};

const outcomeMark = (decision: Decision): StepMark => {
  if (decision.kind !== 'accepted') return refusedMark;
  const { username, groups } = decision.user;
  return { state: 'lit', note: `${oneLine(username)} · ${counted(groups.length, 'group')}` };
};

const refusedMark: StepMark = { state: 'failed', note: '401 Unauthorized' };
