/**
 * Builds the tree of a chain of binary operators by precedence. All operators are left-associative.
 */
import type { CstElement, IToken } from 'chevrotain';
import { span } from '../../source/span.ts';
import type { CelNode } from '../tree/ast.ts';
import { spanOf, tokenAt } from './concrete-tree.ts';
import { operatorNames, type TreeBuilder } from './tree-builder.ts';

/** A node, its start and end offsets including brackets, and an upper bound of its height. */
export interface Extent {
  readonly node: CelNode;
  readonly start: number;
  readonly end: number;
  readonly height: number;
}

/** Reads the operands of a chain, in order. */
export interface ChainOperands {
  operand(index: number): Extent;
  /** Called for each operator before the operand after it is read. */
  moveBehind(operator: IToken): void;
}

/** The precedence of each binary operator; 5 binds tightest. */
export const operatorPrecedences: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ...['<', '<=', '>=', '>', '==', '!=', 'in'].map((image) => [image, 3] as const),
  ['+', 4],
  ['-', 4],
  ['*', 5],
  ['/', 5],
  ['%', 5],
]);

/** Builds the tree of a chain. */
export const readChain = (
  operators: readonly CstElement[],
  builder: TreeBuilder,
  operands: ChainOperands,
): Extent => new Chain(operators, builder, operands).readLevel(1);

class Chain {
  readonly #operators: readonly CstElement[];
  readonly #builder: TreeBuilder;
  readonly #operands: ChainOperands;
  #next = 0;

  constructor(operators: readonly CstElement[], builder: TreeBuilder, operands: ChainOperands) {
    this.#operators = operators;
    this.#builder = builder;
    this.#operands = operands;
  }

  readLevel(precedence: number): Extent {
    if (precedence > 5) return this.#operands.operand(this.#next);
    if (precedence < 3) return this.#readLogical(precedence);
    let left = this.readLevel(precedence + 1);
    for (;;) {
      const operator = this.#consumeOperator(precedence);
      if (operator === undefined) return left;
      left = this.#buildBinary(operator, left, this.readLevel(precedence + 1));
    }
  }

  #buildBinary(operator: IToken, left: Extent, right: Extent): Extent {
    const node = this.#builder.call({
      span: span(left.start, right.end),
      at: operator.startOffset,
      function: operatorNames.get(operator.image) ?? operator.image,
      functionSpan: spanOf(operator),
      target: undefined,
      args: [left.node, right.node],
    });
    const height = Math.max(left.height, right.height) + 1;
    return { node, start: left.start, end: right.end, height };
  }

  #readLogical(precedence: number): Extent {
    const first = this.readLevel(precedence + 1);
    const terms = [first];
    const operators: IToken[] = [];
    for (;;) {
      const operator = this.#consumeOperator(precedence);
      if (operator === undefined) break;
      operators.push(operator);
      terms.push(this.readLevel(precedence + 1));
    }
    const name = operatorNames.get(operators[0]?.image ?? '');
    if (name === undefined) return first;
    const node = this.#builder.logical(
      name,
      terms.map((term) => term.node),
      operators.map(spanOf),
    );
    const height = terms.reduce((highest, term) => Math.max(highest, term.height), 0) + 1;
    return { node, start: first.start, end: terms.at(-1)?.end ?? first.end, height };
  }

  /** Consumes and returns the next operator if it has this precedence. */
  #consumeOperator(precedence: number): IToken | undefined {
    const operator = tokenAt(this.#operators, this.#next);
    if (operator === undefined || operatorPrecedences.get(operator.image) !== precedence) {
      return undefined;
    }
    this.#next++;
    this.#operands.moveBehind(operator);
    return operator;
  }
}
