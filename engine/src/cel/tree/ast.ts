/**
 * The expression tree after macro expansion, with a span on every node and holes where text is
 * missing. Operators are calls under the reference implementation's internal names (`_+_`, `_&&_`,
 * `_?_:_`, `_[_]`, `_?._`, `_[?_]`, `@in`, `!_`, `-_`), so that declarations, costs and messages
 * have one spelling.
 */
import type { Span } from '../../source/span.ts';

interface NodeBase {
  /** Unique inside one tree; key of every side table. */
  readonly id: number;
  /** Offsets in the decoded expression text. */
  readonly span: Span;
  /**
   * Code point offset which messages about this node point at. The reference implementation points
   * at the operator of a binary call, at the dot of a select, at the bracket of a call.
   */
  readonly at: number;
}

export type Constant =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'uint'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array };

export interface LiteralNode extends NodeBase {
  readonly kind: 'literal';
  readonly constant: Constant;
}
export interface IdentNode extends NodeBase {
  readonly kind: 'ident';
  /** A leading dot is kept: `.name`. */
  readonly name: string;
}
export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: CelNode;
  readonly field: string;
  readonly fieldSpan: Span;
  /** Made by `has()`: asks for presence only. */
  readonly testOnly: boolean;
}
export interface CallNode extends NodeBase {
  readonly kind: 'call';
  readonly function: string;
  readonly functionSpan: Span;
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
}
export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly CelNode[];
  /** Indexes of the elements written `?x`. */
  readonly optionalIndices: readonly number[];
}
export interface MapEntry {
  readonly id: number;
  readonly at: number;
  readonly key: CelNode;
  readonly value: CelNode;
  readonly optional: boolean;
}
export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}
export interface StructField {
  readonly id: number;
  readonly at: number;
  readonly name: string;
  readonly value: CelNode;
  readonly optional: boolean;
}
export interface StructNode extends NodeBase {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}
export interface ComprehensionNode extends NodeBase {
  readonly kind: 'comprehension';
  readonly iterRange: CelNode;
  readonly iterVar: string;
  /** Present for two-variable comprehensions. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: CelNode;
  readonly loopCondition: CelNode;
  readonly loopStep: CelNode;
  readonly result: CelNode;
}
/** Something that is not there: the editor completes in it, the checker gives it the type `error`. */
export interface HoleNode extends NodeBase {
  readonly kind: 'hole';
}

/** The tree of an expression; spans are offsets in the expression's own text. */
export type CelNode =
  | LiteralNode
  | IdentNode
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | StructNode
  | ComprehensionNode
  | HoleNode;

/** A macro as it was written, kept beside its expansion for the formatter, hovers and traces. */
export interface MacroCall {
  /** Id of the node that the expansion starts with. */
  readonly id: number;
  readonly call: CallNode;
}

export interface CelSyntaxError {
  /** Without the `ERROR: <input>:` head: `Syntax error: mismatched input …`, `invalid argument to has() macro`. */
  readonly message: string;
  /** Code point offset; -1 for errors without a place (limits), -2 for a place before the text. */
  readonly at: number;
  /** UTF-16 offsets for the editor. */
  readonly span: Span;
}

export interface ParsedExpression {
  readonly text: string;
  /** Always there; broken text gives a tree with holes. */
  readonly tree: CelNode;
  readonly macroCalls: readonly MacroCall[];
  /** In the real order. Empty for good text. */
  readonly errors: readonly CelSyntaxError[];
}
