/**
 * Finds the claims that an expression mentions, with their paths and the spans of their names:
 * `claims.a.b`, `claims["a"]`, `claims.?a`, `has(claims.a)`, `"a" in claims`, and members of the
 * elements that macros iterate over. Computed claim names are not found.
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

/** A step of the path to a claim. `item` is any element of a list or any value of a map. */
export type ClaimStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item' };
/** The path from `claims` to a claim. */
export type ClaimPath = readonly ClaimStep[];

/** The notation of a claim name. */
export type ClaimSpelling =
  /** `.name` */
  | 'field'
  /** `.?name` */
  | 'optional field'
  /** `has(….name)` */
  | 'has'
  /** `["name"]`, `[?"name"]` */
  | 'key'
  /** `"name" in …`; for a list this is an element, not the name of a claim. */
  | 'in';

/** A mention of a claim in an expression. */
export interface ClaimMention {
  /** The path of the claim; its last step is the name. */
  readonly path: ClaimPath;
  readonly spelling: ClaimSpelling;
  /** Span of the name; for `key` and `in`, of the literal with its quotes. */
  readonly name: Span;
  /** Span of the whole selection, `claims.a.b`; for `has`, of the call. */
  readonly whole: Span;
  /** End offset of the operand that the name is selected from. */
  readonly operandEnd: number;
}

/** The variable whose members are searched: `claims`, or `user` in expressions over the user. */
type Root = 'claims' | 'user';

const mentionsByRoot: Readonly<Record<Root, WeakMap<ParsedExpression, readonly ClaimMention[]>>> = {
  claims: new WeakMap(),
  user: new WeakMap(),
};

/** Returns the mentioned claims in source order. */
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

/** Returns the span of a claim name without its quotes. */
export const claimNameSpan = ({ name, spelling }: ClaimMention, text: string): Span =>
  spelling === 'key' || spelling === 'in'
    ? spanInsideQuotes(text.slice(name.start, name.end), name.start)
    : name;

/** Formats a path: `realm_access.roles`, `groups[].name`. */
export const claimPathText = (path: ClaimPath): string =>
  path
    .map((step, index) => {
      if (step.kind === 'item') return '[]';
      if (!/^[A-Za-z_]\w*$/.test(step.name)) return `[${JSON.stringify(step.name)}]`;
      return index === 0 ? step.name : `.${step.name}`;
    })
    .join('');

/**
 * Returns the top-level claim that a node reads: `email` for `claims.email`, unless `claims` is a
 * macro
 * variable there.
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

/** Maximum number of steps from a name to `claims`. */
const maxChainLength = 100;

/** Determines which part of the claims a node refers to. */
class ClaimOrigins {
  readonly #nodeById: ReadonlyMap<number, SourceNode>;
  readonly #root: Root;

  constructor(nodes: readonly SourceNode[], root: Root) {
    this.#root = root;
    // Macro calls are also indexed by the id of their expansion, which their parent refers to.
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

/** Functions and macros that return their receiver or some of its elements. */
const itemPreservingCalls: ReadonlySet<string> = new Set(
  'orValue value or filter sortBy distinct sort reverse slice'.split(' '),
);
