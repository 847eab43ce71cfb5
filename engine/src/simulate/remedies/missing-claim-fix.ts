/**
 * Reads a claim that is missing as an optional one, `claims.?x.orValue(…)`, so that the expression
 * has a value. The title says whether this admits tokens: that is compared for all tokens.
 */
import type { CelNode } from '../../cel/tree/ast.ts';
import { nodesOf } from '../../cel/tree/child-nodes.ts';
import type { Compilation } from '../../compile/compile.ts';
import { graphOfValidEntries } from '../../compile/entry-node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { editScalar, unescapedQuote } from '../../config/rules/edit-scalar.ts';
import { isClaims } from '../../lints/parts/expression-nodes.ts';
import { type ExpressionUse, expressionUses } from '../../lints/parts/expression-uses.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { compareAccessWithin } from '../access/compare-access.ts';
import { EvaluationBudget } from '../access/evaluation-budget.ts';
import { StringWalks } from '../access/string-walks.ts';
import { oneLine } from '../preview/headline.ts';
import { preview } from '../preview/preview.ts';
import type { PartOutcome, PreviewStep } from '../preview/preview-parts.ts';
import { expressionHints } from '../why-not/expression-hints.ts';
import { type ConfigurationFix, tryEdits } from './configuration-fix.ts';

/**
 * Returns `undefined` if the part does not fail because of a missing claim, or no value helps. There
 * is no fix of a username or UID either: all tokens without the claim would have the same one.
 */
export const missingClaimFix = (
  compilation: Compilation,
  claims: ClaimSet,
  { path, kind, outcome }: PreviewStep,
): ConfigurationFix | undefined => {
  if (kind === 'username' || kind === 'uid' || missingKey(outcome) === undefined) return undefined;
  const uses = expressionUses(compilation);
  const use = uses.find((one) => one.path.startsWith(`${path}.`));
  // An alias refers to the same text, so the edits would change the other expression, too.
  const isShared = uses.some(
    (one) => one !== use && one.located.span.start === use?.located.span.start,
  );
  if (use === undefined || isShared) return undefined;
  const found = findValues({ compilation, claims, path, use }, outcome);
  return found && { title: titleOf(compilation, claims, found), edits: found.edits };
};

/** Returns the name of the claim without which the evaluation fails. */
export const missingKey = (outcome: PartOutcome): string | undefined =>
  outcome.kind === 'failed' && outcome.cause === 'error'
    ? /(?:^|: )no such key: (.{1,200})$/s.exec(outcome.short.slice(-220))?.[1]
    : undefined;

interface Search {
  readonly compilation: Compilation;
  readonly claims: ClaimSet;
  readonly path: string;
  readonly use: ExpressionUse;
}

interface FoundFix {
  readonly edited: Compilation;
  readonly edits: readonly TextEdit[];
  readonly replaced: readonly OptionalRead[];
  readonly outcome: PartOutcome;
  readonly path: string;
}

/** An edit of the expression that reads a claim as an optional one. */
interface OptionalRead extends TextEdit {
  /** The names from `claims` to the value, joined by dots. */
  readonly name: string;
}

/** Expressions in which more claims are missing are not changed. */
const mostMissing = 3;

/** Finds a value for each missing claim, one after the other. */
const findValues = (search: Search, first: PartOutcome): FoundFix | undefined => {
  let replaced: readonly OptionalRead[] = [];
  let outcome = first;
  for (let round = 0; round < mostMissing; round += 1) {
    const key = missingKey(outcome);
    const starts = new Set(replaced.map(({ span }) => span.start));
    const all = key === undefined ? [] : plainReads(search.use, key);
    const reads = all.filter(({ span }) => !starts.has(span.start));
    if (reads.length === 0) return undefined;
    const next = firstValue(search, { replaced, reads, key });
    if (next === undefined) return undefined;
    if (missingKey(next.outcome) === undefined) return isUseful(next) ? next : undefined;
    ({ replaced, outcome } = next);
  }
  return undefined;
};

/**
 * A mapping that still rejects the claims gained nothing; a rule now has a readable message. A
 * mapping never gives a group of Kubernetes itself to tokens that lack a claim.
 */
const isUseful = ({ outcome, path }: FoundFix): boolean =>
  outcome.kind === 'failed'
    ? outcome.cause === 'false' && path.includes('ValidationRules[')
    : !valuesOf(outcome).some((value) => value.startsWith('system:'));

const valuesOf = (outcome: PartOutcome): readonly string[] =>
  outcome.kind === 'value' ? [outcome.value].flat() : [];

/** Returns the first value with which the evaluation no longer fails because of this claim. */
const firstValue = (
  { compilation, claims, path, use }: Search,
  {
    replaced,
    reads,
    key,
  }: {
    readonly replaced: readonly OptionalRead[];
    readonly reads: readonly PlainRead[];
    readonly key: string | undefined;
  },
): FoundFix | undefined => {
  const { source } = compilation.document;
  for (const value of valuesFor(reads, use, unescapedQuote(source, use.located))) {
    const all = [
      ...replaced,
      ...reads.map(({ span, optional, names }) => ({
        span,
        newText: `${optional}.orValue(${value})`,
        name: names.join('.'),
      })),
    ];
    const edits = editScalar(source, use.located, all);
    const edited = tryEdits(compilation, edits);
    const outcome = edited && preview(edited, claims).parts.get(path)?.outcome;
    if (edited === undefined || outcome === undefined || outcome.kind === 'unknown') continue;
    const missing = missingKey(outcome);
    const isError = outcome.kind === 'failed' && outcome.cause === 'error';
    if (isError && (missing === undefined || missing === key)) continue;
    return { edited, edits, replaced: all, outcome, path };
  }
  return undefined;
};

/** Returns values in CEL, that of the type with which the expression uses the claim first. */
const valuesFor = (
  [first]: readonly PlainRead[],
  { compilation, role }: ExpressionUse,
  quote: string,
): readonly string[] => {
  const text = quote + quote;
  const name = JSON.stringify(first?.names);
  const hints = expressionHints(compilation.checked.parsed).filter(
    ({ path }) => path.root === 'claims' && JSON.stringify(path.names) === name,
  );
  const literal = hints.map((hint) => typeof hint.literal).find((type) => type !== 'undefined');
  const isList =
    hints.some(({ path }) => path.isItem) || (role === 'groups' && literal === undefined);
  const expected = isList
    ? '[]'
    : literal === 'boolean'
      ? 'false'
      : literal === 'number'
        ? '0'
        : text;
  return [...new Set([expected, text, '[]', 'false', '0', '{}'])];
};

interface PlainRead {
  readonly span: TextEdit['span'];
  readonly names: readonly string[];
  /** The read as an optional: `claims.?a.?b`. */
  readonly optional: string;
}

/** Returns the longest reads of the form `claims.a.b` and `claims["a"]` that contain the name. */
const plainReads = ({ located, compilation }: ExpressionUse, key: string): readonly PlainRead[] => {
  const nodes = nodesOf(compilation.checked.tree);
  const inner = new Set(nodes.map(operandOf));
  const reads = nodes.flatMap((node) => {
    const read = inner.has(node) ? undefined : readOf(node, located.value);
    return read === undefined || !read.names.includes(key) ? [] : [read];
  });
  // A macro may contain the same node twice.
  return [...new Map(reads.map((read) => [read.span.start, read])).values()];
};

/** Returns the node from which a plain read or a presence test selects a member. */
const operandOf = (node: CelNode): CelNode | undefined => {
  if (node.kind === 'select') return node.operand;
  return node.kind === 'call' && node.function === '_[_]' ? node.args[0] : undefined;
};

const readOf = (node: CelNode, text: string): PlainRead | undefined => {
  const names: string[] = [];
  let optional = '';
  let at = node;
  while (!isClaims(at)) {
    const operand = at.kind === 'select' && at.testOnly ? undefined : operandOf(at);
    if (operand === undefined) return undefined;
    const step = text.slice(operand.span.end, at.span.end);
    const [, member, quoted] =
      /^(?:\.([A-Za-z_]\w*)|\[(?:"([^"\\]*)"|'[^'\\]*')\])$/.exec(step) ?? [];
    const name = member ?? quoted ?? (step.startsWith("['") ? step.slice(2, -2) : undefined);
    if (name === undefined) return undefined;
    names.unshift(name);
    optional = `${step[0]}?${step.slice(1)}${optional}`;
    at = operand;
  }
  if (names.length === 0 || text.slice(at.span.start, at.span.end) !== 'claims') return undefined;
  return { span: node.span, names, optional: `claims${optional}` };
};

const titleOf = (before: Compilation, claims: ClaimSet, found: FoundFix): string => {
  const { replaced, path, outcome } = found;
  const reads = [...new Set(replaced.map(({ newText }) => newText))].join(' and ');
  const names = [...new Set(replaced.map(({ name }) => name))].join(' and ');
  const values = oneLine(JSON.stringify(valuesOf(outcome)), maxShown);
  const field = path.slice(path.lastIndexOf('.') + 1);
  const result = outcome.kind === 'value' ? `; ${field} of the sample: ${values}` : '';
  // What the change does to tokens is never cut off.
  return `Use ${oneLine(reads, maxShown)}: ${effectOf(before, claims, found)} ${oneLine(names, maxShown)}${result}`;
};

/** Characters of the expressions, of the claims, and of the values in a title. */
const maxShown = 100;

/** Returns what the change does to tokens, for a name that follows. */
const effectOf = (before: Compilation, claims: ClaimSet, { edited, path }: FoundFix): string => {
  const [old, young] = [before, edited].map((side) => onlyEntry(side, path));
  const gained =
    old === undefined || young === undefined
      ? undefined
      : compareAccessWithin({ graph: old }, { graph: young }, newTask()).verdicts.gained;
  if (gained?.kind === 'proved') return 'no one gains access by a token without';
  const { entries } = preview(edited, claims);
  const decision = entries.find((entry) => path.startsWith(`${entry.path}.`))?.decision;
  return gained?.kind === 'found' || decision?.kind === 'accepted'
    ? 'accepts tokens without'
    : 'may accept tokens without';
};

/** Returns a graph of the authenticator alone. */
const onlyEntry = (compilation: Compilation, path: string): AuthenticatorGraph | undefined => {
  const graph = graphOfValidEntries(compilation);
  const nodes = graph?.nodes.filter(({ id }) => path.startsWith(`${id}.`));
  return graph === undefined || nodes?.length !== 1 ? undefined : { ...graph, nodes };
};

/** A comparison takes milliseconds, because the editor requests fixes whenever the cursor moves. */
const newTask = () => ({
  mode: 'product' as const,
  budget: new EvaluationBudget(2000, 4000),
  walks: new StringWalks(200_000),
});
