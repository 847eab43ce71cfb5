/**
 * The conditions that a rule combines with `&&`, `||`, `!` and `?:`. Values of a claim for which all of them have the
 * same result are interchangeable.
 */
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { CallCode, CodeNode } from './code-nodes.ts';
import type { ExpressionReader } from './expression-reader.ts';
import { readExpression } from './read-expression.ts';
import { claimsVariable } from './user-values.ts';

/** One condition of a rule. */
export interface RuleLeaf {
  /** The names of the claims that it reads. */
  readonly roots: ReadonlySet<string>;
  /** Returns `T` or `F` for booleans, otherwise `E`. */
  resultOf(claims: JsonObject): string;
}

/** Returns the conditions of a rule. */
export const leavesOf = (
  node: CodeNode,
  expression: SerializedExpression,
  createReader: () => ExpressionReader,
): readonly RuleLeaf[] => {
  if (node.kind === 'call' && isCombination(node)) {
    return node.args.flatMap((arg) => leavesOf(arg, expression, createReader));
  }
  const reader = createReader();
  reader.readAll(readExpression(reader, node, claimsVariable));
  const program = planSerialized({ ...expression, code: node.code });
  return [
    {
      roots: reader.reads.roots(),
      resultOf(claims) {
        const { value } = program.evaluate(claims);
        if (value === true) return 'T';
        return value === false ? 'F' : 'E';
      },
    },
  ];
};

const isCombination = (node: CodeNode & CallCode): boolean =>
  combinations.has(node.name) || (equalities.has(node.name) && node.args.every(isBoolean));

const combinations: ReadonlySet<string> = new Set(['_&&_', '_||_', '!_', '_?_:_']);
const equalities: ReadonlySet<string> = new Set(['_==_', '_!=_']);

/** Checks whether the value of a node is a boolean or an error. */
const isBoolean = (node: CodeNode): boolean =>
  (node.kind === 'select' && node.isTest) || (node.kind === 'call' && booleanCalls.has(node.name));

const booleanCalls: ReadonlySet<string> = new Set([
  ...['_&&_', '_||_', '!_', '_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in'],
  ...['startsWith', 'endsWith', 'contains', 'matches', 'hasValue'],
]);
