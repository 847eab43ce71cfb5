/**
 * Reports who a sample would be under a configuration that is being edited: the source of each part
 * of the user, and the path through the graph step by step.
 */
import type { Compilation } from '../../compile/compile.ts';
import { draftDomain, graphOfValidEntries } from '../../compile/entry-node.ts';
import type { AuthenticatorGraph, AuthenticatorNode } from '../../compile/graph.ts';
import type { Decision } from '../../model/decision.ts';
import type { TracedValue, TraceStep } from '../../model/trace.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { Span } from '../../source/span.ts';
import { reasonWithoutPrefix } from '../whoami/brief-reason.ts';
import { ownClaim } from '../whoami/claims-decision.ts';
import { decisionYaml } from '../whoami/review-yaml.ts';
import { tokenChecks } from '../whoami/token-checks.ts';
import { whoamiClaims } from '../whoami/whoami-claims.ts';
import { preview } from './preview.ts';
import type { PreviewStep } from './preview-parts.ts';
import { type TracedPart, tracedParts } from './traced-parts.ts';

/** One step of the path through the graph, for a view. */
export interface ReportStep {
  /**
   * The path `jwt[0].claimMappings.username`, or `jwt[0]` if the step concerns the whole
   * authenticator.
   */
  readonly at: string;
  /** The kind of step: `username`, `claim rule`, `audience`. */
  readonly what: string;
  readonly outcome: TraceStep['outcome'];
  readonly detail: string | undefined;
  /** The value as JSON data. */
  readonly value: unknown;
  readonly values: readonly TracedValue[];
}

/**
 * Who a sample would be and why, ready to be shown. `yaml` is the object that a client would
 * receive.
 */
export interface WhoamiReport {
  readonly decision: Decision;
  /** The source of each part of the user: `username`, `uid`, `groups`, `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly at: string }[];
  readonly steps: readonly ReportStep[];
  readonly yaml: string;
}

/** Returns `undefined` while the authenticator that handles the claims has an error. */
export const whoamiReport = (
  compilation: Compilation,
  claims: ClaimSet,
  /** The time in milliseconds since 1970. */
  now: number,
): WhoamiReport | undefined => {
  const { decision, parts, entries } = preview(compilation, claims);
  const graph = graphOfValidEntries(compilation);
  if (decision === undefined || graph === undefined) return undefined;
  const [first] = entries;
  const node = graph.nodes.find(({ id }) => id === first?.path);
  const traced =
    node === undefined
      ? unmatchedIssuer(compilation, claims)
      : wayThrough({ ...graph, nodes: [node] }, node, { claims, now });
  const rows = [...tracedParts(traced).values()].flat().map((part) => stepOf(part, compilation));
  return {
    decision,
    sources: decision.kind === 'accepted' ? sourcesOf(decision.user, parts, compilation) : [],
    steps: [...rows, ...notReached(parts, rows, compilation)],
    yaml: decisionYaml(decision, { domain: draftDomain(compilation), now }),
  };
};

/** Returns the span of the text of a part if it has one, else of its whole section. */
export const placeOfPart = ({ origins }: Compilation, path: string): Span | undefined =>
  origins.get(`${path}.expression`) ??
  origins.get(`${path}.valueExpression`) ??
  origins.get(`${path}.claim`) ??
  origins.get(path);

/** Returns the steps of the mapping, with the checks of a token in the place where they happen. */
const wayThrough = (
  graph: AuthenticatorGraph,
  node: AuthenticatorNode,
  { claims, now }: { readonly claims: ClaimSet; readonly now: number },
): readonly TraceStep[] => {
  const { steps } = whoamiClaims(graph, claims, { mode: 'product', explain: true, now });
  const checks = tokenChecks(node, claims, now);
  const checked = new Set(checks.map(({ what }) => what));
  const [issuer, ...others] = steps.filter(({ what }) => !checked.has(what));
  return issuer === undefined ? checks : [issuer, ...checks, ...others];
};

const unmatchedIssuer = (
  { configuration }: Compilation,
  claims: ClaimSet,
): readonly TraceStep[] => {
  const said = JSON.stringify(ownClaim(claims, 'iss') ?? null);
  return (configuration?.jwt ?? []).map(({ issuer }, index) => ({
    at: `jwt[${index}]`,
    what: 'issuer',
    outcome: 'skipped',
    detail: `iss is ${said}; the issuer of this authenticator is ${JSON.stringify(issuer.url?.value ?? '')}`,
  }));
};

const stepOf = (
  { path, field, steps, outcome }: TracedPart,
  compilation: Compilation,
): ReportStep => {
  const what = steps[0]?.what ?? '';
  const last = steps.findLast(({ detail }) => detail !== undefined);
  const failed = steps.find((step) => step.outcome === 'failed' && step.what === 'result');
  const detail =
    failed?.detail === undefined
      ? (textAt(compilation, path) ?? last?.detail)
      : reasonWithoutPrefix(failed.detail);
  return {
    at: field === '' ? `${path}${fieldsOfChecks.get(what) ?? ''}` : path,
    what: field === '' ? what : partName(field, compilation, path),
    outcome,
    detail,
    value: steps.findLast(({ value }) => value !== undefined)?.value,
    values: steps.flatMap(({ values }) => values ?? []),
  };
};

/** The fields that the checks of a whole authenticator read. */
const fieldsOfChecks: ReadonlyMap<string, string> = new Map([
  ['issuer', '.issuer.url'],
  ['audience', '.issuer.audiences'],
]);

/**
 * Returns the expression, or the required value of the claim: what a user would look up in the
 * file.
 */
const textAt = ({ expressions, configuration }: Compilation, path: string): string | undefined => {
  const expression =
    expressions.get(`${path}.expression`) ?? expressions.get(`${path}.valueExpression`);
  if (expression !== undefined) return expression.compilation.checked.parsed.text.trim();
  const [, entry, rule] = /^jwt\[(\d+)\]\.claimValidationRules\[(\d+)\]$/.exec(path) ?? [];
  const required = configuration?.jwt[Number(entry)]?.claimValidationRules[Number(rule)];
  if (required?.claim === undefined) return undefined;
  return `${required.claim.value} is ${JSON.stringify(required.requiredValue?.value ?? '')}`;
};

const partName = (field: string, compilation: Compilation, path: string): string => {
  const [, mapping, index] = /^claimMappings\.(\w+)(?:\[(\d+)\])?$/.exec(field) ?? [];
  if (mapping === 'extra') {
    const key = extraKey(compilation, path);
    return key === undefined ? `extra ${index}` : `extra ${key}`;
  }
  if (mapping !== undefined) return mapping === 'uid' ? 'UID' : mapping;
  if (field.startsWith('claimValidationRules')) return 'claim rule';
  return field.startsWith('userValidationRules') ? 'user rule' : field;
};

const extraKey = ({ configuration }: Compilation, path: string): string | undefined => {
  const [, entry, extra] = /^jwt\[(\d+)\]\.claimMappings\.extra\[(\d+)\]$/.exec(path) ?? [];
  return configuration?.jwt[Number(entry)]?.claimMappings.extra[Number(extra)]?.key?.value;
};

const sourcesOf = (
  user: UserInfo,
  parts: ReadonlyMap<string, PreviewStep>,
  compilation: Compilation,
): WhoamiReport['sources'] =>
  [...parts.values()].flatMap(({ path, kind }) => {
    if (kind === 'claimRule' || kind === 'userRule') return [];
    if (kind !== 'extra') return [{ part: kind, at: path }];
    const key = extraKey(compilation, path) ?? '';
    return user.extra.has(key) ? [{ part: `extra.${key}`, at: path }] : [];
  });

/** Returns the parts after the rejecting step, with the outcome that they would have. */
const notReached = (
  parts: ReadonlyMap<string, PreviewStep>,
  reported: readonly ReportStep[],
  compilation: Compilation,
): readonly ReportStep[] => {
  const known = new Set(reported.map(({ at }) => at));
  return [...parts.values()].flatMap(({ path, outcome }) => {
    if (known.has(path)) return [];
    return [
      {
        at: path,
        what: partName(path.replace(/^jwt\[\d+\]\./, ''), compilation, path),
        outcome: 'skipped' as const,
        detail: `not reached; ${wouldBe(outcome)}`,
        value: outcome.kind === 'value' ? outcome.value : undefined,
        values: [],
      },
    ];
  });
};

const wouldBe = (outcome: PreviewStep['outcome']): string => {
  switch (outcome.kind) {
    case 'value':
      return 'it would return a value';
    case 'passed':
      return 'it would pass';
    case 'failed':
      return `it would fail: ${outcome.short}`;
    case 'unknown':
      return 'it reads a user that could not be built';
  }
};
