/**
 * The expression tree after macro expansion, with a span on every node and holes where text is
 * missing. Operators are calls under cel-go's internal names (`_+_`, `_&&_`, `_?_:_`, `_[_]`,
 * `_?._`, `_[?_]`, `@in`, `!_`, `-_`), so declarations, costs and messages use the same names.
 */
import type { Span } from '../../source/span.ts';

interface NodeBase {
  /** Unique within a tree; the key of all side tables. */
  readonly id: number;
  /** UTF-16 offsets in the decoded expression. */
  readonly span: Span;
  /**
   * Code point offset that messages about this node point at. Like in cel-go, this is the operator
   * of a binary call, the dot of a select, and the opening parenthesis of a call.
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
  /** Includes a leading dot: `.name`. */
  readonly name: string;
}
export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: CelNode;
  readonly field: string;
  readonly fieldSpan: Span;
  /** True for the expansion of `has()`, which only tests for presence. */
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
  /** Indexes of the optional elements, written `?x`. */
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
  /** The second variable; `undefined` in one-variable comprehensions. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: CelNode;
  readonly loopCondition: CelNode;
  readonly loopStep: CelNode;
  readonly result: CelNode;
}
/**
 * A missing part of an incomplete expression. Its type is `error`; the editor offers completions
 * for it.
 */
export interface HoleNode extends NodeBase {
  readonly kind: 'hole';
}

/** A node of the expression tree; spans are offsets in the expression. */
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

/**
 * A macro call as written in the source. It is stored next to its expansion for the formatter,
 * hovers and traces.
 */
export interface MacroCall {
  /** Id of the root node of the expansion. */
  readonly id: number;
  readonly call: CallNode;
}

export interface CelSyntaxError {
  /**
   * The message without the `ERROR: <input>:` prefix, for example `Syntax error: mismatched input
   * …`.
   */
  readonly message: string;
  /**
   * Code point offset; -1 for errors without a location (limits), -2 for a location before the
   * text.
   */
  readonly at: number;
  /** UTF-16 offsets, for the editor. */
  readonly span: Span;
}

export interface ParsedExpression {
  readonly text: string;
  /** Always present; the tree of an expression with syntax errors has holes. */
  readonly tree: CelNode;
  readonly macroCalls: readonly MacroCall[];
  /** Syntax errors in cel-go's order; empty for a valid expression. */
  readonly errors: readonly CelSyntaxError[];
}
