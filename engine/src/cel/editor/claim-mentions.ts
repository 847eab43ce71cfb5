/**
 * The claims that an expression names, each with its path and the place of its name: `claims.a.b`,
 * `claims["a"]`, `claims.?a`, `has(claims.a)`, `"a" in claims`, and members of what a variable of a
 * macro goes over. A claim whose name is computed is named nowhere.
 */
import type { Span } from '../../source/span.ts';
import { spanInsideQuotes } from '../syntax/inside-quotes.ts';
import type { CallNode, CelNode, ParsedExpression } from '../tree/ast.ts';
import {
  type MacroVariable,
  macroVariableOf,
  type SourceNode,
  sourceNodes,
} from '../tree/source-tree.ts';

/** From the claims inwards. `item`: any item of a list, any value of a map. */
export type ClaimStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item' };
/** The way to a claim, from `claims` inwards. */
export type ClaimPath = readonly ClaimStep[];

/** How the name is written. */
export type ClaimSpelling =
  /** `.name` */
  | 'field'
  /** `.?name` */
  | 'optional field'
  /** `has(….name)` */
  | 'has'
  /** `["name"]`, `[?"name"]` */
  | 'key'
  /** `"name" in …`; of a list this asks for an item, and names no claim. */
  | 'in';

/** One place of an expression that names a claim. */
export interface ClaimMention {
  /** Its last step is the name. */
  readonly path: ClaimPath;
  readonly spelling: ClaimSpelling;
  /** Of the name; with `key` and `in` that of the literal, quotes included. */
  readonly name: Span;
  /** The selection as a whole, `claims.a.b`; for `has`, the call. */
  readonly whole: Span;
  /** End of what the name is selected from. */
  readonly operandEnd: number;
}

/** The variable that is asked: of an expression over `user`, its members count as claims do. */
type Root = 'claims' | 'user';

const mentionsByRoot: Readonly<Record<Root, WeakMap<ParsedExpression, readonly ClaimMention[]>>> = {
  claims: new WeakMap(),
  user: new WeakMap(),
};

/** In the order of the text. */
export const claimMentions = (
  parsed: ParsedExpression,
  root: Root = 'claims',
): readonly ClaimMention[] => {
  const mentionsByExpression = mentionsByRoot[root];
  const cached = mentionsByExpression.get(parsed);
  if (cached !== undefined) return cached;
  const nodes = sourceNodes(parsed);
  const origins = new ClaimOrigins(nodes, root);
  const mentions = nodes
    .flatMap((sourceNode) => mentionAt(sourceNode, origins))
    .sort((a, b) => a.name.start - b.name.start);
  mentionsByExpression.set(parsed, mentions);
  return mentions;
};

/** Place of the name in the expression's text, without quotes. */
export const claimNameSpan = ({ name, spelling }: ClaimMention, text: string): Span =>
  spelling === 'key' || spelling === 'in'
    ? spanInsideQuotes(text.slice(name.start, name.end), name.start)
    : name;

/** Text that stands for a path: `realm_access.roles`, `groups[].name`. */
export const claimPathText = (path: ClaimPath): string =>
  path
    .map((step, index) => {
      if (step.kind === 'item') return '[]';
      if (!/^[A-Za-z_]\w*$/.test(step.name)) return `[${JSON.stringify(step.name)}]`;
      return index === 0 ? step.name : `.${step.name}`;
    })
    .join('');

/**
 * The claim of the first level that a node of the expression reads: `email` of `claims.email`, unless a
 * macro calls something else `claims` there.
 */
export const claimReadBy = (parsed: ParsedExpression, node: CelNode): string | undefined => {
  const selection = isIn(node) ? undefined : selectionOf(node);
  if (selection === undefined) return undefined;
  const origin = new ClaimOrigins(sourceNodes(parsed), 'claims').pathOf(selection.operand);
  return origin?.length === 0 ? selection.name : undefined;
};

const mentionAt = (sourceNode: SourceNode, origins: ClaimOrigins): readonly ClaimMention[] => {
  const { node, parent } = sourceNode;
  const selection = selectionOf(node);
  if (selection === undefined) return [];
  const origin = origins.pathOf(selection.operand);
  if (origin === undefined) return [];
  const has =
    node.kind === 'select' && parent?.isMacro === true && isHas(parent.node) ? parent : undefined;
  return [
    {
      path: [...origin, { kind: 'member', name: selection.name }],
      spelling: has === undefined ? selection.spelling : 'has',
      name: selection.at,
      whole: (has?.node ?? node).span,
      operandEnd: selection.operand.span.end,
    },
  ];
};

const isHas = (node: CelNode): boolean => node.kind === 'call' && node.function === 'has';

interface Selection {
  readonly operand: CelNode;
  readonly name: string;
  readonly at: Span;
  readonly spelling: ClaimSpelling;
}

const selectionOf = (node: CelNode): Selection | undefined => {
  if (node.kind === 'select') {
    const { operand, field, fieldSpan } = node;
    return field === '' ? undefined : { operand, name: field, at: fieldSpan, spelling: 'field' };
  }
  if (node.kind !== 'call' || node.target !== undefined) return undefined;
  const [first, second] = node.args;
  if (first === undefined || second === undefined) return undefined;
  switch (node.function) {
    case '_[_]':
    case '_[?_]':
      return literalSelection(first, second, 'key');
    case '_?._':
      return literalSelection(first, second, 'optional field');
    case '@in':
      return literalSelection(second, first, 'in');
    default:
      return undefined;
  }
};

const literalSelection = (
  operand: CelNode,
  key: CelNode,
  spelling: ClaimSpelling,
): Selection | undefined =>
  key.kind === 'literal' && key.constant.kind === 'string'
    ? { operand, name: key.constant.value, at: key.span, spelling }
    : undefined;

/** Chains longer than this are not followed. */
const maxChainLength = 100;

/** Which part of the claims a value is. */
class ClaimOrigins {
  readonly #nodeById: ReadonlyMap<number, SourceNode>;
  readonly #root: Root;

  constructor(nodes: readonly SourceNode[], root: Root) {
    this.#root = root;
    // A macro is asked for by the id of its expansion too: that is what its parent holds.
    this.#nodeById = new Map(
      nodes.flatMap((sourceNode) => [
        [sourceNode.node.id, sourceNode] as const,
        [sourceNode.expandedId, sourceNode] as const,
      ]),
    );
  }

  pathOf(node: CelNode, length = 0): ClaimPath | undefined {
    const sourceNode = this.#nodeById.get(node.id);
    if (sourceNode === undefined || length > maxChainLength) return undefined;
    const next = (child: CelNode | undefined): ClaimPath | undefined =>
      child === undefined ? undefined : this.pathOf(child, length + 1);
    const { node: written } = sourceNode;
    if (written.kind === 'ident') {
      const variable = macroVariableOf(sourceNode);
      if (variable !== undefined) return this.#ofVariable(variable, next);
      return written.name === this.#root || written.name === `.${this.#root}` ? [] : undefined;
    }
    const selection = selectionOf(written);
    if (selection !== undefined && !isIn(written)) {
      return extend(next(selection.operand), { kind: 'member', name: selection.name });
    }
    return written.kind === 'call' ? ofCall(written, next) : undefined;
  }

  #ofVariable(variable: MacroVariable, next: Next): ClaimPath | undefined {
    const { macro, isKey } = variable;
    if (macro.function === 'bind') return next(macro.args[1]);
    const range = next(macro.target);
    if (macro.function === 'optMap' || macro.function === 'optFlatMap') return range;
    return isKey ? undefined : extend(range, { kind: 'item' });
  }
}

type Next = (child: CelNode | undefined) => ClaimPath | undefined;

const isIn = (node: CelNode): boolean => node.kind === 'call' && node.function === '@in';

const extend = (path: ClaimPath | undefined, step: ClaimStep): ClaimPath | undefined =>
  path === undefined ? undefined : [...path, step];

const ofCall = (call: CallNode, next: Next): ClaimPath | undefined => {
  switch (call.function) {
    case '_[_]':
    case '_[?_]':
      return extend(next(call.args[0]), { kind: 'item' });
    case 'dyn':
      return next(call.args[0]);
    case 'optMap':
    case 'optFlatMap':
      return next(call.args[1]);
    default:
      return itemPreservingCalls.has(call.function) ? next(call.target) : undefined;
  }
};

/** Functions and macros that give what they were asked of, or some of its items. */
const itemPreservingCalls: ReadonlySet<string> = new Set(
  'orValue value or filter sortBy distinct sort reverse slice'.split(' '),
);
