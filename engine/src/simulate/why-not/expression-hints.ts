/**
 * Finds what an expression expects of the values that it reads: `claims.hd == "corp.example"`
 * expects `hd` to equal a string. Hints are guesses that have to be tried, because negation, `||`
 * and `? :` are not analyzed.
 */

import type { CallNode, CelNode, Constant, ParsedExpression } from '../../cel/tree/ast.ts';
import { selectionOperators } from '../../cel/tree/selection-operators.ts';
import {
  type MacroVariable,
  macroVariableOf,
  type SourceNode,
  sourceNodes,
} from '../../cel/tree/source-tree.ts';
import { oncePer } from '../../source/once.ts';

/** A value that an expression reads. */
export interface ReadPath {
  readonly root: 'claims' | 'user';
  /** The path from the root to the value. */
  readonly names: readonly string[];
  /** Whether any item of the list at the path is meant, not the list itself. */
  readonly isItem: boolean;
}

export type HintKind =
  | 'equal'
  /** The constant is a value that the claim must not have. */
  | 'unequal'
  | 'order'
  | 'size'
  | 'prefix'
  | 'suffix'
  | 'part'
  | 'pattern'
  /** The value is read, or tested with `has`. */
  | 'presence';

export interface Hint {
  readonly path: ReadPath;
  readonly kind: HintKind;
  /** The constant that the value is compared with; absent for `presence`. */
  readonly literal?: string | number | boolean | null;
}

/** Returns the hints in source order, without duplicates. */
export const expressionHints = (parsed: ParsedExpression): readonly Hint[] => hintsOf(parsed);

const hintsOf = oncePer((parsed: ParsedExpression): readonly Hint[] => {
  const steps = sourceNodes(parsed);
  const reader = new PathReader(steps);
  const found = new Map<string, Hint>();
  for (const { node } of steps) {
    for (const hint of hintsAt(node, reader)) found.set(JSON.stringify(hint), hint);
  }
  return [...found.values()];
});

/** Returns the string constants of the expression: its result may begin with one of them. */
export const textsOf = (parsed: ParsedExpression): readonly string[] =>
  sourceNodes(parsed).flatMap(({ node }) =>
    node.kind === 'literal' && node.constant.kind === 'string' ? [node.constant.value] : [],
  );

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

/**
 * Reports whether the node selects a member. A selection inside a longer one gets no hint of its
 * own.
 */
const isRead = (node: CelNode): boolean =>
  node.kind === 'select' || (node.kind === 'call' && selectionOperators.has(node.function));

const kindOf = (name: string): HintKind | undefined => kinds.get(name);

const kinds: ReadonlyMap<string, HintKind> = new Map([
  ['_==_', 'equal'],
  ['_!=_', 'unequal'],
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

/** Returns hints for `"dev" in claims.groups` and `claims.hd in ["a", "b"]`. */
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
  // The argument of `dyn("x")`, `int("3")` or `timestamp("…")` is the value that a claim would
  // have.
  return node.kind === 'call' &&
    node.target === undefined &&
    valuePreservingFunctions.has(node.function)
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

/** Functions and macros whose result is the value that they are called on, or similar to it. */
const valuePreservingFunctions: ReadonlySet<string> = new Set(
  'dyn string int uint double bool timestamp value orValue or lowerAscii upperAscii trim replace filter map sort sortBy distinct flatten join split optMap optFlatMap'.split(
    ' ',
  ),
);

/** Longer chains than this are not followed. */
const longestChain = 64;

class PathReader {
  readonly #stepById: ReadonlyMap<number, SourceNode>;

  constructor(steps: readonly SourceNode[]) {
    // A macro is also found by the id of its expansion, because its parent refers to that id.
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
  return valuePreservingFunctions.has(call.function) ? next(call.target ?? first) : undefined;
};

const ofVariable = ({ macro, isKey }: MacroVariable, next: Next): ReadPath | undefined => {
  const range = next(macro.target);
  if (macro.function === 'optMap' || macro.function === 'optFlatMap') return range;
  return isKey ? undefined : item(range);
};

/** Members of list items are not followed. */
const member = (path: ReadPath | undefined, name: string): ReadPath | undefined =>
  path === undefined || path.isItem ? undefined : { ...path, names: [...path.names, name] };

const item = (path: ReadPath | undefined): ReadPath | undefined =>
  path === undefined || path.isItem ? undefined : { ...path, isItem: true };
