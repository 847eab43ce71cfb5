/**
 * What an expression asks of the values it reads: `claims.hd == "corp.example"` asks that `hd` equals a
 * text. Hints are guesses, whoever uses one has to try it: nothing here knows `!`, `||` or `? :`.
 */
import type { CallNode, CelNode, Constant, ParsedExpression } from '../../cel/tree/ast.ts';
import { selectionOperators } from '../../cel/tree/selection-operators.ts';
import {
  type MacroVariable,
  macroVariableOf,
  type SourceNode,
  sourceNodes,
} from '../../cel/tree/source-tree.ts';

/** A value that an expression reads. */
export interface ReadPath {
  readonly root: 'claims' | 'user';
  /** From the root inwards. */
  readonly names: readonly string[];
  /** Any item of the list there, rather than the list. */
  readonly isItem: boolean;
}

export type HintKind =
  | 'equal'
  | 'order'
  | 'size'
  | 'prefix'
  | 'suffix'
  | 'part'
  | 'pattern'
  /** It is read, or asked for with `has`. */
  | 'presence';

export interface Hint {
  readonly path: ReadPath;
  readonly kind: HintKind;
  /** Absent for `presence`. */
  readonly literal?: string | number | boolean | null;
}

/** In the order of the text, without repetitions. */
export const expressionHints = (parsed: ParsedExpression): readonly Hint[] => {
  const known = hintsByExpression.get(parsed);
  if (known !== undefined) return known;
  const steps = sourceNodes(parsed);
  const reader = new PathReader(steps);
  const found = new Map<string, Hint>();
  for (const { node } of steps) {
    for (const hint of hintsAt(node, reader)) found.set(JSON.stringify(hint), hint);
  }
  const hints = [...found.values()];
  hintsByExpression.set(parsed, hints);
  return hints;
};

/** Texts that stand in it, which what it makes may begin with. */
export const textsOf = (parsed: ParsedExpression): readonly string[] =>
  sourceNodes(parsed).flatMap(({ node }) =>
    node.kind === 'literal' && node.constant.kind === 'string' ? [node.constant.value] : [],
  );

const hintsByExpression = new WeakMap<ParsedExpression, readonly Hint[]>();

const hintsAt = (node: CelNode, reader: PathReader): readonly Hint[] => {
  const path = reader.of(node);
  if (path !== undefined && isRead(node)) return [{ path, kind: 'presence' }];
  if (node.kind !== 'call') return [];
  const kind = kindOf(node.function);
  if (kind === undefined) return [];
  const [left, right] = node.target === undefined ? node.args : [node.target, ...node.args];
  if (left === undefined || right === undefined) return [];
  if (node.function === '@in') return inHints(left, right, reader);
  return [...pairHints(left, right, { kind, reader }), ...pairHints(right, left, { kind, reader })];
};

/** A selection, and not a step on the way to a longer one that is hinted at itself. */
const isRead = (node: CelNode): boolean =>
  node.kind === 'select' || (node.kind === 'call' && selectionOperators.has(node.function));

const kindOf = (name: string): HintKind | undefined => kinds.get(name);

const kinds: ReadonlyMap<string, HintKind> = new Map([
  ['_==_', 'equal'],
  ['_!=_', 'equal'],
  ['@in', 'equal'],
  ['_<_', 'order'],
  ['_<=_', 'order'],
  ['_>_', 'order'],
  ['_>=_', 'order'],
  ['startsWith', 'prefix'],
  ['endsWith', 'suffix'],
  ['contains', 'part'],
  ['matches', 'pattern'],
]);

const pairHints = (
  read: CelNode,
  compared: CelNode,
  { kind, reader }: { readonly kind: HintKind; readonly reader: PathReader },
): readonly Hint[] => {
  const literals = literalsOf(compared);
  if (literals.length === 0) return [];
  const sized = sizedNode(read);
  const path = reader.of(sized ?? read);
  if (path === undefined) return [];
  return literals.map((literal) => ({ path, kind: sized === undefined ? kind : 'size', literal }));
};

/** `"dev" in claims.groups`, `claims.hd in ["a", "b"]`. */
const inHints = (item: CelNode, list: CelNode, reader: PathReader): readonly Hint[] => {
  const held = reader.of(list);
  if (held !== undefined) {
    const path = { ...held, isItem: true };
    return literalsOf(item).map((literal) => ({ path, kind: 'equal', literal }));
  }
  return pairHints(item, list, { kind: 'equal', reader });
};

const sizedNode = (node: CelNode): CelNode | undefined =>
  node.kind === 'call' && node.function === 'size' ? (node.target ?? node.args[0]) : undefined;

const literalsOf = (node: CelNode): readonly (string | number | boolean | null)[] => {
  if (node.kind === 'list') return node.elements.flatMap(literalsOf);
  if (node.kind === 'literal') return constantOf(node.constant);
  if (node.kind === 'call' && node.function === '-_') {
    return node.args.flatMap(literalsOf).map((value) => -Number(value));
  }
  // `dyn("x")`, `int("3")`, `timestamp("…")`: what is inside is what a claim would hold.
  return node.kind === 'call' && node.target === undefined && keepers.has(node.function)
    ? node.args.flatMap(literalsOf)
    : [];
};

const constantOf = (constant: Constant): readonly (string | number | boolean | null)[] => {
  switch (constant.kind) {
    case 'null':
      return [null];
    case 'bytes':
      return [];
    case 'int':
    case 'uint':
      return [Number(constant.value)];
    default:
      return [constant.value];
  }
};

/** Functions and macros whose value is that of what they are called on, or nearly. */
const keepers: ReadonlySet<string> = new Set(
  'dyn string int uint double bool timestamp value orValue or lowerAscii upperAscii trim replace filter map sort sortBy distinct flatten join split optMap optFlatMap'.split(
    ' ',
  ),
);

/** Chains longer than this are not followed. */
const longestChain = 64;

class PathReader {
  readonly #stepById: ReadonlyMap<number, SourceNode>;

  constructor(steps: readonly SourceNode[]) {
    // A macro is asked for by the id of its expansion too: that is what its parent holds.
    this.#stepById = new Map(
      steps.flatMap((step) => [[step.node.id, step] as const, [step.expandedId, step] as const]),
    );
  }

  of(asked: CelNode | undefined, length = 0): ReadPath | undefined {
    const step = asked === undefined ? undefined : this.#stepById.get(asked.id);
    if (step === undefined || length > longestChain) return undefined;
    const { node } = step;
    const next = (child: CelNode | undefined): ReadPath | undefined => this.of(child, length + 1);
    if (node.kind === 'select') return member(next(node.operand), node.field);
    if (node.kind === 'call') return ofCall(node, next);
    if (node.kind !== 'ident') return undefined;
    const variable = macroVariableOf(step);
    if (variable !== undefined) return ofVariable(variable, next);
    const root = node.name.replace(/^\./, '');
    return root === 'claims' || root === 'user' ? { root, names: [], isItem: false } : undefined;
  }
}

type Next = (child: CelNode | undefined) => ReadPath | undefined;

const ofCall = (call: CallNode, next: Next): ReadPath | undefined => {
  const [first, second] = call.args;
  if (selectionOperators.has(call.function)) {
    const inside = next(first);
    return second?.kind === 'literal' && second.constant.kind === 'string'
      ? member(inside, second.constant.value)
      : item(inside);
  }
  if (call.function === 'has') return next(first);
  return keepers.has(call.function) ? next(call.target ?? first) : undefined;
};

const ofVariable = ({ macro, isKey }: MacroVariable, next: Next): ReadPath | undefined => {
  if (macro.function === 'bind') return next(macro.args[1]);
  const range = next(macro.target);
  if (macro.function === 'optMap' || macro.function === 'optFlatMap') return range;
  return isKey ? undefined : item(range);
};

/** What is inside of items is not followed. */
const member = (path: ReadPath | undefined, name: string): ReadPath | undefined =>
  path === undefined || path.isItem ? undefined : { ...path, names: [...path.names, name] };

const item = (path: ReadPath | undefined): ReadPath | undefined =>
  path === undefined || path.isItem ? undefined : { ...path, isItem: true };
