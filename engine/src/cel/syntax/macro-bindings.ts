/** The macros that bind a variable to one value, and those that only choose a function. */
import type { CelNode } from '../tree/ast.ts';
import { argument, type Expansion, expander, fail } from './macro-expansion.ts';
import { collectList, iteratee } from './macro-loops.ts';

const unusedVariable = '#unused';

/** A variable bound to one value: a loop over nothing whose result is the body. */
const bind = (make: Expansion, name: string, value: CelNode, body: CelNode): CelNode =>
  make.comprehension({
    range: make.list(),
    variable: unusedVariable,
    accumulator: name,
    init: value,
    condition: make.bool(false),
    step: make.ident(name),
    result: body,
  });

/** `optMap` and `optFlatMap`, which differ in what they wrap around the value. */
export const optionalMacro = (name: string, wrap: (make: Expansion, value: CelNode) => CelNode) =>
  expander(({ make, target, args }) => {
    const variable = argument(args, 0);
    if (variable.kind !== 'ident') {
      return fail(variable, `${name}() variable name must be a simple identifier`);
    }
    const value = make.memberCall('value', make.copy(target));
    return make.call(
      '_?_:_',
      make.memberCall('hasValue', target),
      wrap(make, bind(make, variable.name, value, argument(args, 1))),
      make.call('optional.none'),
    );
  });

const sortable: ReadonlySet<CelNode['kind']> = new Set([
  'list',
  'select',
  'ident',
  'comprehension',
  'call',
]);

/** `l.sortBy(x, k)`: the keys first, then one sort by them. */
export const sortBy = expander(({ make, target, args }) => {
  if (!sortable.has(target.kind)) {
    return fail(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const input = '@__sortBy_input__';
  const found = iteratee(args);
  if (found.kind === 'macro-error') return found;
  const keys = make.comprehension({
    range: make.ident(input),
    variable: found.names[0],
    ...collectList(make, args.slice(1)),
  });
  return bind(
    make,
    input,
    target,
    make.memberCall('@sortByAssociatedKeys', make.ident(input), keys),
  );
});

/** `cel.bind(x, value, body)`, of the language only. */
export const celBind = expander(({ make, target, args }) => {
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const variable = argument(args, 0);
  if (variable.kind !== 'ident') {
    return fail(variable, 'cel.bind() variable names must be simple identifiers');
  }
  return bind(make, variable.name, argument(args, 1), argument(args, 2));
});

const mayBeNumber = (node: CelNode): boolean => {
  if (node.kind === 'literal') return ['int', 'uint', 'double'].includes(node.constant.kind);
  return node.kind !== 'list' && node.kind !== 'map' && node.kind !== 'struct';
};

/** `math.greatest` and `math.least`, of the language only. */
export const extreme = (name: string, functionName: string) =>
  expander(({ make, target, args }) => {
    if (target.kind !== 'ident' || target.name !== 'math') return undefined;
    const first = args[0];
    if (first === undefined) return fail(target, `${name} requires at least one argument`);
    if (args.length === 1) {
      const fits =
        first.kind === 'list'
          ? first.elements.length > 0 && first.elements.every(mayBeNumber)
          : mayBeNumber(first);
      return fits
        ? make.call(functionName, first)
        : fail(first, `${name} invalid single argument value`);
    }
    const wrong = args.find((node) => !mayBeNumber(node));
    if (wrong !== undefined) return fail(wrong, `${name} simple literal arguments must be numeric`);
    return args.length === 2
      ? make.call(functionName, ...args)
      : make.call(functionName, make.list(...args));
  });
