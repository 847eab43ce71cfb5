/** The macros that go over a list or a map. */
import type { CelNode } from '../tree/ast.ts';
import {
  accumulator,
  argument,
  type Expansion,
  expander,
  fail,
  type MacroError,
} from './macro-expansion.ts';

const olderAccumulator = '__result__';

/** `has(a.b)`: asks for presence. */
export const has = expander(({ make, args }) => {
  const field = argument(args, 0);
  if (field.kind !== 'select') return fail(field, 'invalid argument to has() macro');
  return { ...field, ...make.place(), testOnly: true };
});

type Variables = { readonly kind: 'variables'; readonly names: readonly [string, string?] };

const overwritesAccumulator = (name: string): boolean =>
  name === accumulator || name === olderAccumulator;

const oneVariable = (args: readonly CelNode[], notSimple: string): Variables | MacroError => {
  const node = argument(args, 0);
  if (node.kind !== 'ident') return fail(node, notSimple);
  if (overwritesAccumulator(node.name)) {
    return fail(node, 'iteration variable overwrites accumulator variable');
  }
  return { kind: 'variables', names: [node.name] };
};

/** Index or key, and value. */
export const twoVariables = (args: readonly CelNode[]): Variables | MacroError => {
  const first = argument(args, 0);
  const second = argument(args, 1);
  if (first.kind !== 'ident') return fail(first, 'argument must be a simple name');
  if (second.kind !== 'ident') return fail(second, 'argument must be a simple name');
  if (first.name === second.name) return fail(second, `duplicate variable name: ${first.name}`);
  for (const node of [first, second]) {
    if (overwritesAccumulator(node.name)) {
      return fail(node, 'iteration variable overwrites accumulator variable');
    }
  }
  return { kind: 'variables', names: [first.name, second.name] };
};

type Loop = Pick<
  Parameters<Expansion['comprehension']>[0],
  'init' | 'condition' | 'step' | 'result'
>;
type LoopOf = (make: Expansion, body: readonly CelNode[]) => Loop;

/** A macro that is one loop over its receiver. */
export const loopMacro = (
  variables: (args: readonly CelNode[]) => Variables | MacroError,
  loop: LoopOf,
) =>
  expander(({ make, target, args }) => {
    const found = variables(args);
    if (found.kind === 'macro-error') return found;
    const [variable, variable2] = found.names;
    const shape = loop(make, args.slice(found.names.length));
    return make.comprehension({
      range: target,
      variable,
      ...(variable2 === undefined ? {} : { variable2 }),
      ...shape,
    });
  });

/** True until one is false. */
export const all: LoopOf = (make, body) => ({
  init: make.bool(true),
  condition: make.call('@not_strictly_false', make.accumulator()),
  step: make.call('_&&_', make.accumulator(), argument(body, 0)),
  result: make.accumulator(),
});

/** False until one is true. */
export const exists: LoopOf = (make, body) => ({
  init: make.bool(false),
  condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
  step: make.call('_||_', make.accumulator(), argument(body, 0)),
  result: make.accumulator(),
});

/** Counts. */
export const existsOne: LoopOf = (make, body) => ({
  init: make.int(0n),
  condition: make.bool(true),
  step: make.call(
    '_?_:_',
    argument(body, 0),
    make.call('_+_', make.accumulator(), make.int(1n)),
    make.accumulator(),
  ),
  result: make.call('_==_', make.accumulator(), make.int(1n)),
});

/** A loop that adds to its accumulator: with two parts in the body, the first decides whether. */
const collect =
  (init: (make: Expansion) => CelNode, add: (make: Expansion, value: CelNode) => CelNode): LoopOf =>
  (make, body) => {
    const filter = body.length === 2 ? body[0] : undefined;
    const step = add(make, argument(body, body.length - 1));
    return {
      init: init(make),
      condition: make.bool(true),
      step: filter === undefined ? step : make.call('_?_:_', filter, step, make.accumulator()),
      result: make.accumulator(),
    };
  };

/** Appends to a list. */
export const collectList = collect(
  (make) => make.list(),
  (make, value) => make.call('_+_', make.accumulator(), make.list(value)),
);
/** Adds the entries of maps to a map. */
export const collectEntries = collect(
  (make) => make.emptyMap(),
  (make, value) => make.call('cel.@mapInsert', make.accumulator(), value),
);

/** The variable of `map`, `filter` and `sortBy`. */
export const iteratee = (args: readonly CelNode[]) =>
  oneVariable(args, 'argument is not an identifier');
/** The variable of `all`, `exists` and `exists_one`. */
export const quantified = (args: readonly CelNode[]) =>
  oneVariable(args, 'argument must be a simple name');

/** `l.map(x, f)` and `l.map(x, p, f)`. */
export const mapMacro = loopMacro(iteratee, collectList);

/** `l.filter(x, p)`. */
export const filterMacro = expander(({ make, target, args }) => {
  const found = iteratee(args);
  if (found.kind === 'macro-error') return found;
  const loop = collectList(make, [argument(args, 1), argument(args, 0)]);
  return make.comprehension({ range: target, variable: found.names[0], ...loop });
});

/** `m.transformMap(k, v, f)` and `m.transformMap(k, v, p, f)`. */
export const transformMap = expander(({ make, target, args }) => {
  const found = twoVariables(args);
  if (found.kind === 'macro-error') return found;
  const [key, value] = found.names;
  const insert = collect(
    () => make.emptyMap(),
    (_, result) => make.call('cel.@mapInsert', make.accumulator(), make.ident(key), result),
  );
  return make.comprehension({
    range: target,
    variable: key,
    ...(value === undefined ? {} : { variable2: value }),
    ...insert(make, args.slice(2)),
  });
});
