/** Computes how far the claims of a sample get in a graph, for diagrams and sentences. */

import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { GraphPath, StepMark } from '../../compile/graph-lanes.ts';
import { counted } from '../../formats/counted.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Decision } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { nodeOfClaims } from '../whoami/claims-decision.ts';
import { tokenChecks } from '../whoami/token-checks.ts';
import { type TokenProblem, tokenProblems } from '../whoami/token-problems.ts';
import { headlineOf, oneLine } from './headline.ts';
import { type PreviewStep, previewParts } from './preview-parts.ts';

export interface GraphPathOptions {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Set if the token is rejected before its claims are mapped; no check means its signature. */
  readonly refusal?: (TokenProblem & { readonly headline: string }) | undefined;
  /** What is true of an accepted sample in addition, for the headline. */
  readonly notes?: readonly string[];
}

/** Returns how far claims get in the graph, for its diagram. */
export const graphPath = (
  graph: AuthenticatorGraph,
  claims: ClaimSet,
  { name, now, refusal, notes }: GraphPathOptions,
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
  if (refusal !== undefined) {
    const failed: StepMark = { state: 'failed', note: refusal.text };
    // Keys and times come from the issuer, so its node is marked as failed.
    const issuer: StepMark = refusal.check === 'audience' ? { state: 'lit' } : failed;
    return {
      name: oneLine(name),
      headline: refusal.headline,
      lane: node.id,
      marks: new Map<string, StepMark>([
        request,
        [node.id, { state: 'lit' }],
        [`${node.id}.issuer`, issuer],
        ...(refusal.check === 'audience' ? [[`${node.id}.issuer.audiences`, failed] as const] : []),
        [`${node.id}.user`, refusedMark],
      ]),
    };
  }
  const { decision, parts } = previewParts(node, claims, {
    credentialIdKey: tokenCredentialIdKey(graph.apiDomain, graph.targetRelease),
    broken: new Set(),
  });
  const [audience] = tokenChecks(node, claims, now);
  const problems = tokenProblems(node, claims, now);
  const time = problems.find(({ check }) => check !== 'audience');
  const other = problems.find(({ check }) => check === 'audience');
  return {
    name: oneLine(name),
    headline: headlineOf(name, decision, { notes: notes ?? problems.map(({ text }) => text) }),
    lane: node.id,
    marks: new Map<string, StepMark>([
      request,
      [node.id, { state: 'lit' }],
      // Times and audience reject tokens, but not claims alone.
      [
        `${node.id}.issuer`,
        time === undefined ? { state: 'lit' } : { state: 'lit', note: `(!) ${time.text}` },
      ],
      [
        `${node.id}.issuer.audiences`,
        audience?.outcome === 'note'
          ? { state: 'lit', note: `(!) ${other?.text ?? audience.detail}` }
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
