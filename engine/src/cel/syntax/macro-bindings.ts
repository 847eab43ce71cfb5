/** Macros that bind a variable to a single value, and macros that only select a function. */
import type { CelNode } from '../tree/ast.ts';
import { argumentAt, type ExprHelper, macroError, macroExpander } from './macro-expansion.ts';
import { collectList, iterationVariable } from './macro-loops.ts';

const unusedVariable = '#unused';

/** Binds a variable to a value: a comprehension over an empty list whose result is the body. */
export const bindVariable = (
  helper: ExprHelper,
  name: string,
  value: CelNode,
  body: CelNode,
): CelNode =>
  helper.comprehension({
    range: helper.list(),
    variable: unusedVariable,
    accumulator: name,
    init: value,
    condition: helper.bool(false),
    step: helper.ident(name),
    result: body,
  });

/** Defines `optMap` or `optFlatMap`, which differ in how they wrap the value. */
export const optionalMacro = (
  name: string,
  wrap: (helper: ExprHelper, value: CelNode) => CelNode,
) =>
  macroExpander(({ helper, target, args }) => {
    const variable = argumentAt(args, 0);
    if (variable.kind !== 'ident') {
      return macroError(variable, `${name}() variable name must be a simple identifier`);
    }
    const value = helper.memberCall('value', helper.copy(target));
    return helper.call(
      '_?_:_',
      helper.memberCall('hasValue', target),
      wrap(helper, bindVariable(helper, variable.name, value, argumentAt(args, 1))),
      helper.call('optional.none'),
    );
  });

const sortable: ReadonlySet<CelNode['kind']> = new Set([
  'list',
  'select',
  'ident',
  'comprehension',
  'call',
]);

/** Expands `l.sortBy(x, k)`: first computes the keys, then sorts by them. */
export const sortBy = macroExpander(({ helper, target, args }) => {
  if (!sortable.has(target.kind)) {
    return macroError(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const input = '@__sortBy_input__';
  const variables = iterationVariable(args);
  if (variables.kind === 'macro-error') return variables;
  const keys = helper.comprehension({
    range: helper.ident(input),
    variable: variables.nodes[0].name,
    ...collectList(helper, args.slice(1)),
  });
  return bindVariable(
    helper,
    input,
    target,
    helper.memberCall('@sortByAssociatedKeys', helper.ident(input), keys),
  );
});
