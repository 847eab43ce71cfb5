/** Building blocks of macros: the nodes of an expansion, and macro errors. */
import type { Release } from '../../model/release.ts';
import type { CallNode, CelNode, Constant } from '../tree/ast.ts';
import { copyNode } from '../tree/copy-node.ts';

/**
 * First release in which macros copy an argument that they use twice; earlier ones share the node.
 */
const copiesReceiversSince: Release = 32;

/** What an expansion needs from the builder of the tree. */
export interface NodeIds {
  readonly release: Release;
  nextId(): number;
}

/** The arguments of a macro call are invalid; the message points at `node`. */
export interface MacroError {
  readonly kind: 'macro-error';
  readonly message: string;
  readonly node: CelNode;
}

/** Returns the expansion, an error, or `undefined` if the call is not a call of the macro. */
export type MacroExpander = (call: CallNode, builder: NodeIds) => CelNode | MacroError | undefined;

/** Reports whether the result of an expander is an error. */
export const isMacroError = (value: CelNode | MacroError): value is MacroError =>
  value.kind === 'macro-error';

/** Name of the hidden accumulator variable of comprehensions. */
export const accumulator = '@result';

/** Creates the nodes of an expansion, all located at the opening parenthesis of the macro call. */
export class ExprHelper {
  readonly #call: CallNode;
  readonly #builder: NodeIds;

  constructor(call: CallNode, builder: NodeIds) {
    this.#call = call;
    this.#builder = builder;
  }

  /** Returns the id and location of a new node. */
  newNodeBase() {
    return { id: this.#builder.nextId(), span: this.#call.span, at: this.#call.at };
  }

  literal(constant: Constant): CelNode {
    return { kind: 'literal', ...this.newNodeBase(), constant };
  }

  bool(value: boolean): CelNode {
    return this.literal({ kind: 'bool', value });
  }

  int(value: bigint): CelNode {
    return this.literal({ kind: 'int', value });
  }

  ident(name: string): CelNode {
    return { kind: 'ident', ...this.newNodeBase(), name };
  }

  accumulator(): CelNode {
    return this.ident(accumulator);
  }

  list(...elements: readonly CelNode[]): CelNode {
    return { kind: 'list', ...this.newNodeBase(), elements, optionalIndices: [] };
  }

  emptyMap(): CelNode {
    return { kind: 'map', ...this.newNodeBase(), entries: [] };
  }

  call(name: string, ...args: readonly CelNode[]): CelNode {
    return this.#buildCall(name, undefined, args);
  }

  memberCall(name: string, target: CelNode, ...args: readonly CelNode[]): CelNode {
    return this.#buildCall(name, target, args);
  }

  /** Copies a node with new ids. */
  copy(node: CelNode): CelNode {
    if (this.#builder.release < copiesReceiversSince) return node;
    return copyNode(node, () => this.#builder.nextId(), this.#call.at);
  }

  comprehension(parts: {
    readonly range: CelNode;
    readonly variable: string;
    readonly variable2?: string;
    readonly accumulator?: string;
    readonly init: CelNode;
    readonly condition: CelNode;
    readonly step: CelNode;
    readonly result: CelNode;
  }): CelNode {
    return {
      kind: 'comprehension',
      ...this.newNodeBase(),
      iterRange: parts.range,
      iterVar: parts.variable,
      iterVar2: parts.variable2,
      accuVar: parts.accumulator ?? accumulator,
      accuInit: parts.init,
      loopCondition: parts.condition,
      loopStep: parts.step,
      result: parts.result,
    };
  }

  #buildCall(name: string, target: CelNode | undefined, args: readonly CelNode[]): CelNode {
    return {
      kind: 'call',
      ...this.newNodeBase(),
      function: name,
      functionSpan: this.#call.functionSpan,
      target,
      args,
    };
  }
}

/** The parts of a macro call; `target` is the receiver of a receiver-style call. */
export interface MacroCallParts {
  readonly helper: ExprHelper;
  readonly target: CelNode;
  readonly args: readonly CelNode[];
}

/** Creates an expander from a function of the call's parts. */
export const macroExpander =
  (expand: (parts: MacroCallParts) => CelNode | MacroError | undefined): MacroExpander =>
  (call, builder) =>
    expand({ helper: new ExprHelper(call, builder), target: call.target ?? call, args: call.args });

/** Creates the error of a macro call with invalid arguments. */
export const macroError = (node: CelNode, message: string): MacroError => ({
  kind: 'macro-error',
  message,
  node,
});

/** Returns an argument, which exists because macros are selected by their number of arguments. */
export const argumentAt = (args: readonly CelNode[], index: number): CelNode => {
  const node = args[index];
  if (node === undefined)
    throw new Error('unreachable: macros are selected by their number of arguments');
  return node;
};
