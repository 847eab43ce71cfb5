/**
 * The parts of an expression that coverage counts: conditions, which are true and false, optional
 * values, which are present and absent, and the elements of literal lists. A probe observes them while
 * the expression is evaluated.
 */
import type { CheckedExpression } from '../../cel/check/checked-expression.ts';
import { constantValue } from '../../cel/evaluate/plan/plan-node.ts';
import type { CallNode, CelNode, ListNode } from '../../cel/tree/ast.ts';
import { type SourceNode, sourceNodes } from '../../cel/tree/source-tree.ts';
import { equals } from '../../cel/values/equality.ts';
import { CelOptional, type CelValue, isList } from '../../cel/values/value.ts';
import type { Span } from '../../source/span.ts';

/** A part of an expression whose outcomes are counted. */
export interface ExpressionPoint {
  readonly kind: 'branch' | 'list element';
  /** The position in the decoded expression. */
  readonly span: Span;
  readonly outcomes: readonly string[];
  /** The nodes to observe. */
  readonly nodeIds: readonly number[];
  /**
   * Returns the index of the outcome that the value of an observed node shows; `undefined` for an
   * error and for a value that shows none.
   */
  outcomeOf(nodeId: number, value: CelValue | undefined): number | undefined;
}

/** Returns the points of an expression, in the order of its source. */
export const expressionPoints = ({ parsed }: CheckedExpression): readonly ExpressionPoint[] => {
  const nodes = sourceNodes(parsed);
  const sourceById = new Map(nodes.map((step) => [step.expandedId, step]));
  const conditions = new Set<number>();
  const points = nodes.flatMap((step): readonly ExpressionPoint[] => {
    const { node } = step;
    if (node.kind !== 'call') return [];
    const tested = testedConditions(step, node).filter(({ id }) => !conditions.has(id));
    for (const { id } of tested) conditions.add(id);
    const spanOf = (operand: CelNode): Span =>
      sourceById.get(operand.id)?.node.span ?? operand.span;
    return [
      ...tested.map((operand) => conditionPoint(operand, spanOf(operand))),
      ...optionalPoints(node, spanOf),
      ...membershipPoints(node),
      ...loopPoints(step, node),
    ];
  });
  return points.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
};

/** Returns the operands of `&&` and `||`, and the conditions of `?:` and of macros. */
const testedConditions = (step: SourceNode, node: CallNode): readonly CelNode[] => {
  const operands = (() => {
    if (isLogical(node)) return node.args.filter((operand) => !isLogical(operand));
    if (node.function === '_?_:_') return node.args.slice(0, 1);
    const condition = step.isMacro ? macroCondition(node) : undefined;
    return condition === undefined ? [] : [condition];
  })();
  return operands.filter(({ kind }) => kind !== 'literal');
};

const isLogical = (node: CelNode): boolean =>
  node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');

/** Returns the argument of a macro that decides about each element. */
const macroCondition = ({ function: name, args }: CallNode): CelNode | undefined => {
  const filtersFrom = filterArguments.get(name);
  if (filtersFrom !== undefined) return args.length === filtersFrom ? args.at(-2) : undefined;
  return conditionMacros.has(name) ? args.at(-1) : undefined;
};

const conditionMacros: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
]);

/** Macros with an optional filter before their last argument: the number of arguments with it. */
const filterArguments: ReadonlyMap<string, number> = new Map([
  ['map', 3],
  ['transformList', 4],
  ['transformMap', 4],
  ['transformMapEntry', 4],
]);

const conditionPoint = (condition: CelNode, span: Span): ExpressionPoint => {
  const isPresenceTest = condition.kind === 'select' && condition.testOnly;
  return {
    kind: 'branch',
    span,
    outcomes: ['true', 'false'],
    nodeIds: isPresenceTest ? chainIds(condition) : [condition.id],
    outcomeOf(nodeId, value) {
      if (isAbsent(value)) return isPresenceTest ? 1 : undefined;
      if (nodeId !== condition.id || value === undefined) return undefined;
      // An optional chain shows the value itself.
      if (isPresenceTest) return Number(value === false);
      return typeof value === 'boolean' ? Number(!value) : undefined;
    },
  };
};

/** Returns the receiver of `orValue` and `or`, whose value may be absent. */
const optionalPoints = (
  { function: name, target }: CallNode,
  spanOf: (node: CelNode) => Span,
): readonly ExpressionPoint[] =>
  target === undefined || (name !== 'orValue' && name !== 'or')
    ? []
    : [
        {
          kind: 'branch',
          span: spanOf(target),
          outcomes: ['present', 'absent'],
          nodeIds: chainIds(target),
          outcomeOf(nodeId, value) {
            if (isAbsent(value)) return 1;
            return nodeId === target.id && value !== undefined ? 0 : undefined;
          },
        },
      ];

/**
 * Returns the IDs of a chain of selections and of its root. A chain ends at the first part that is
 * absent, and the probe observes no more of it.
 */
const chainIds = (node: CelNode): readonly number[] => {
  const ids: number[] = [];
  for (let part: CelNode | undefined = node; part !== undefined; part = operandOf(part))
    ids.push(part.id);
  return ids;
};

const operandOf = (node: CelNode): CelNode | undefined => {
  if (node.kind === 'select') return node.operand;
  return node.kind === 'call' && selections.has(node.function) ? node.args[0] : undefined;
};

const selections: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

const isAbsent = (value: CelValue | undefined): boolean =>
  value instanceof CelOptional && value.value === undefined;

/** Returns the elements of the list in `value in ['a', 'b']`. */
const membershipPoints = ({ function: name, args }: CallNode): readonly ExpressionPoint[] => {
  const [value, list] = args;
  if (name !== '@in' || value === undefined || list?.kind !== 'list') return [];
  return list.elements.flatMap((element): readonly ExpressionPoint[] => {
    if (element.kind !== 'literal') return [];
    const expected = constantValue(element.constant);
    return [
      {
        kind: 'list element',
        span: element.span,
        outcomes: ['matched'],
        nodeIds: [value.id],
        outcomeOf: (_, actual) =>
          actual !== undefined && equals(actual, expected) === true ? 0 : undefined,
      },
    ];
  });
};

/**
 * Returns the elements of a literal list that a macro iterates over: an element is matched if the
 * condition of the macro is true for it; without a condition it is reached.
 */
const loopPoints = (step: SourceNode, node: CallNode): readonly ExpressionPoint[] => {
  const { target, args } = node;
  if (!step.isMacro || target?.kind !== 'list' || !isLoop(node)) return [];
  const condition = macroCondition(node);
  const observed = condition ?? args.at(-1);
  if (observed === undefined) return [];
  return target.elements.map((element, index) =>
    loopPoint(target, element.span, { index, observed, hasCondition: condition !== undefined }),
  );
};

const isLoop = ({ function: name }: CallNode): boolean =>
  conditionMacros.has(name) || filterArguments.has(name);

const loopPoint = (
  list: ListNode,
  span: Span,
  {
    index,
    observed,
    hasCondition,
  }: { readonly index: number; readonly observed: CelNode; readonly hasCondition: boolean },
): ExpressionPoint => {
  let next = 0;
  return {
    kind: 'list element',
    span,
    outcomes: [hasCondition ? 'matched' : 'reached'],
    nodeIds: [list.id, observed.id],
    outcomeOf(nodeId, value) {
      if (nodeId === list.id) {
        // Each evaluation of the list starts a loop over it.
        if (value !== undefined && isList(value)) next = 0;
        return undefined;
      }
      const isHere = next === index;
      next++;
      return isHere && (hasCondition ? value === true : value !== undefined) ? 0 : undefined;
    },
  };
};
