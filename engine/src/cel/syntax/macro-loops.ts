/** Macros that iterate over a list or a map. */
import type { CelNode, IdentNode } from '../tree/ast.ts';
import {
  accumulator,
  argumentAt,
  type ExprHelper,
  type MacroError,
  macroError,
  macroExpander,
} from './macro-expansion.ts';

const legacyAccumulator = '__result__';

/** Expands `has(a.b)` to a presence test. */
export const has = macroExpander(({ helper, args }) => {
  const field = argumentAt(args, 0);
  if (field.kind !== 'select') return macroError(field, 'invalid argument to has() macro');
  return { ...field, ...helper.newNodeBase(), testOnly: true };
});

interface Variables {
  readonly kind: 'variables';
  readonly nodes: readonly [IdentNode, IdentNode?];
}

const overwritesAccumulator = (name: string): boolean =>
  name === accumulator || name === legacyAccumulator;

const oneVariable = (args: readonly CelNode[], message: string): Variables | MacroError => {
  const node = argumentAt(args, 0);
  if (node.kind !== 'ident') return macroError(node, message);
  if (overwritesAccumulator(node.name)) {
    return macroError(node, 'iteration variable overwrites accumulator variable');
  }
  return { kind: 'variables', nodes: [node] };
};

/** Reads the two iteration variables: index or key, and value. */
export const twoVariables = (args: readonly CelNode[]): Variables | MacroError => {
  const first = argumentAt(args, 0);
  const second = argumentAt(args, 1);
  if (first.kind !== 'ident') return macroError(first, 'argument must be a simple name');
  if (second.kind !== 'ident') return macroError(second, 'argument must be a simple name');
  if (first.name === second.name)
    return macroError(second, `duplicate variable name: ${first.name}`);
  for (const node of [first, second]) {
    if (overwritesAccumulator(node.name)) {
      return macroError(node, 'iteration variable overwrites accumulator variable');
    }
  }
  return { kind: 'variables', nodes: [first, second] };
};

type Loop = Pick<
  Parameters<ExprHelper['comprehension']>[0],
  'init' | 'condition' | 'step' | 'result'
>;
type LoopBuilder = (
  helper: ExprHelper,
  body: readonly CelNode[],
  variables: Variables['nodes'],
) => Loop;

/** Defines a macro that expands to one comprehension over its receiver. */
export const loopMacro = (
  readVariables: (args: readonly CelNode[]) => Variables | MacroError,
  loop: LoopBuilder,
) =>
  macroExpander(({ helper, target, args }) => {
    const variables = readVariables(args);
    if (variables.kind === 'macro-error') return variables;
    const { nodes } = variables;
    const loopParts = loop(helper, args.slice(nodes.length), nodes);
    const [variable, variable2] = nodes;
    return helper.comprehension({
      range: target,
      variable: variable.name,
      ...(variable2 === undefined ? {} : { variable2: variable2.name }),
      ...loopParts,
    });
  });

/** Builds the loop of `all`, which stops at the first false element. */
export const all: LoopBuilder = (helper, body) => ({
  init: helper.bool(true),
  condition: helper.call('@not_strictly_false', helper.accumulator()),
  step: helper.call('_&&_', helper.accumulator(), argumentAt(body, 0)),
  result: helper.accumulator(),
});

/** Builds the loop of `exists`, which stops at the first true element. */
export const exists: LoopBuilder = (helper, body) => ({
  init: helper.bool(false),
  condition: helper.call('@not_strictly_false', helper.call('!_', helper.accumulator())),
  step: helper.call('_||_', helper.accumulator(), argumentAt(body, 0)),
  result: helper.accumulator(),
});

/** Builds the loop of `exists_one`, which counts the true elements. */
export const existsOne: LoopBuilder = (helper, body) => ({
  init: helper.int(0n),
  condition: helper.bool(true),
  step: helper.call(
    '_?_:_',
    argumentAt(body, 0),
    helper.call('_+_', helper.accumulator(), helper.int(1n)),
    helper.accumulator(),
  ),
  result: helper.call('_==_', helper.accumulator(), helper.int(1n)),
});

/** Builds a loop that adds to its accumulator. If the body has two parts, the first is a filter. */
const accumulate =
  (init: (helper: ExprHelper) => CelNode, add: (helper: ExprHelper, value: CelNode) => CelNode) =>
  (helper: ExprHelper, body: readonly CelNode[]): Loop => {
    const filter = body.length === 2 ? body[0] : undefined;
    const step = add(helper, argumentAt(body, body.length - 1));
    return {
      init: init(helper),
      condition: helper.bool(true),
      step: filter === undefined ? step : helper.call('_?_:_', filter, step, helper.accumulator()),
      result: helper.accumulator(),
    };
  };

/** Builds a loop that appends to a list. */
export const collectList = accumulate(
  (helper) => helper.list(),
  (helper, value) => helper.call('_+_', helper.accumulator(), helper.list(value)),
);
/** Builds a loop that adds the entries of maps to a map. */
export const collectEntries = accumulate(
  (helper) => helper.emptyMap(),
  (helper, value) => helper.call('cel.@mapInsert', helper.accumulator(), value),
);

/** Reads the variable of `map`, `filter` and `sortBy`. */
export const iterationVariable = (args: readonly CelNode[]) =>
  oneVariable(args, 'argument is not an identifier');
/** Reads the variable of `all`, `exists` and `exists_one`. */
export const quantifierVariable = (args: readonly CelNode[]) =>
  oneVariable(args, 'argument must be a simple name');

/** Expands `l.map(x, f)` and `l.map(x, p, f)`. */
export const mapMacro = loopMacro(iterationVariable, collectList);

/** Expands `l.filter(x, p)`. */
export const filterMacro = loopMacro(iterationVariable, (helper, body, [variable]) =>
  collectList(helper, [...body, variable]),
);

/** Expands `m.transformMap(k, v, f)` and `m.transformMap(k, v, p, f)`. */
export const transformMap = loopMacro(twoVariables, (helper, body, [key]) =>
  accumulate(
    () => helper.emptyMap(),
    (_, value) =>
      helper.call('cel.@mapInsert', helper.accumulator(), helper.ident(key.name), value),
  )(helper, body),
);
