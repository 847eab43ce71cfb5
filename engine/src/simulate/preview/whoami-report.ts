/**
 * Who a sample would be under a configuration that is being written, told for people: where each part
 * of the user comes from, and the way through the graph step by step.
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
import type { PreviewPart } from './preview-parts.ts';
import { type TracedPart, tracedParts } from './traced-parts.ts';

/** One step of the way through the graph, for a view. */
export interface ReportStep {
  /** `jwt[0].claimMappings.username`; `jwt[0]` for what concerns the whole authenticator. */
  readonly at: string;
  /** `username`, `claim rule`, `audience`. */
  readonly what: string;
  readonly outcome: TraceStep['outcome'];
  readonly detail: string | undefined;
  /** JSON data. */
  readonly value: unknown;
  readonly values: readonly TracedValue[];
}

/** Who a sample would be and why, ready to be shown. `yaml` is what a client would read. */
export interface WhoamiReport {
  readonly decision: Decision;
  /** Where the parts of the user come from: `username`, `uid`, `groups`, `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly at: string }[];
  readonly steps: readonly ReportStep[];
  readonly yaml: string;
}

/** `undefined` while an error stands in the authenticator that takes the claims. */
export const whoamiReport = (
  compilation: Compilation,
  claims: ClaimSet,
  /** Milliseconds since 1970. */
  now: number,
): WhoamiReport | undefined => {
  const { decision, parts, entries } = preview(compilation, claims);
  const graph = graphOfValidEntries(compilation);
  if (decision === undefined || graph === undefined) return undefined;
  const [first] = entries;
  const node = graph.nodes.find(({ id }) => id === first?.path);
  const traced =
    node === undefined
      ? foreignIssuer(compilation, claims)
      : wayThrough({ ...graph, nodes: [node] }, node, { claims, now });
  const rows = [...tracedParts(traced).values()].flat().map((part) => stepOf(part, compilation));
  return {
    decision,
    sources: decision.kind === 'accepted' ? sourcesOf(decision.user, parts, compilation) : [],
    steps: [...rows, ...notReached(parts, rows, compilation)],
    yaml: decisionYaml(decision, { domain: draftDomain(compilation), now }),
  };
};

/** The text that a part is about rather than the whole section, where there is one. */
export const placeOfPart = ({ origins }: Compilation, path: string): Span | undefined =>
  origins.get(`${path}.expression`) ??
  origins.get(`${path}.valueExpression`) ??
  origins.get(`${path}.claim`) ??
  origins.get(path);

/** The steps of the mapping, with what a token would be checked for in its place. */
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

const foreignIssuer = ({ configuration }: Compilation, claims: ClaimSet): readonly TraceStep[] => {
  const said = JSON.stringify(ownClaim(claims, 'iss') ?? null);
  return (configuration?.jwt ?? []).map(({ issuer }, index) => ({
    at: `jwt[${index}]`,
    what: 'issuer',
    outcome: 'skipped',
    detail: `the claims say iss ${said}, this authenticator has ${JSON.stringify(issuer.url?.value ?? '')}`,
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

/** What the checks of a whole authenticator read of it. */
const fieldsOfChecks: ReadonlyMap<string, string> = new Map([
  ['issuer', '.issuer.url'],
  ['audience', '.issuer.audiences'],
]);

/** The expression, or what is asked of the claim: what a reader would look up in the file. */
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
  parts: ReadonlyMap<string, PreviewPart>,
  compilation: Compilation,
): WhoamiReport['sources'] =>
  [...parts.values()].flatMap(({ path, kind }) => {
    if (kind === 'claimRule' || kind === 'userRule') return [];
    if (kind !== 'extra') return [{ part: kind, at: path }];
    const key = extraKey(compilation, path) ?? '';
    return user.extra.has(key) ? [{ part: `extra.${key}`, at: path }] : [];
  });

/** What would come behind the refusal, with what it would say. */
const notReached = (
  parts: ReadonlyMap<string, PreviewPart>,
  told: readonly ReportStep[],
  compilation: Compilation,
): readonly ReportStep[] => {
  const known = new Set(told.map(({ at }) => at));
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

const wouldBe = (outcome: PreviewPart['outcome']): string => {
  switch (outcome.kind) {
    case 'value':
      return 'it would give a value';
    case 'passed':
      return 'it would pass';
    case 'failed':
      return `it would fail: ${outcome.short}`;
    case 'unknown':
      return 'it asks about a user that was not made';
  }
};
