/** The macros of CEL's own specification that no authentication environment has. */

import { bindVariable } from '../../../engine/src/cel/syntax/macro-bindings.ts';
import {
  argumentAt,
  macroError,
  macroExpander,
} from '../../../engine/src/cel/syntax/macro-expansion.ts';
import {
  authenticationMacros,
  type Macro,
  macroTable,
  receiverMacro,
} from '../../../engine/src/cel/syntax/macros.ts';
import type { CelNode } from '../../../engine/src/cel/tree/ast.ts';

/** Expands `cel.bind(x, value, body)`. */
const celBind = macroExpander(({ helper, target, args }) => {
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const variable = argumentAt(args, 0);
  if (variable.kind !== 'ident') {
    return macroError(variable, 'cel.bind() variable names must be simple identifiers');
  }
  return bindVariable(helper, variable.name, argumentAt(args, 1), argumentAt(args, 2));
});

const mayBeNumber = (node: CelNode): boolean => {
  if (node.kind === 'literal') return ['int', 'uint', 'double'].includes(node.constant.kind);
  return node.kind !== 'list' && node.kind !== 'map' && node.kind !== 'struct';
};

/** Defines `math.greatest` or `math.least`. */
const greatestOrLeast = (name: string, functionName: string) =>
  macroExpander(({ helper, target, args }) => {
    if (target.kind !== 'ident' || target.name !== 'math') return undefined;
    const first = args[0];
    if (first === undefined) return macroError(target, `${name} requires at least one argument`);
    if (args.length === 1) {
      const isNumeric =
        first.kind === 'list'
          ? first.elements.length > 0 && first.elements.every(mayBeNumber)
          : mayBeNumber(first);
      return isNumeric
        ? helper.call(functionName, first)
        : macroError(first, `${name} invalid single argument value`);
    }
    const nonNumeric = args.find((node) => !mayBeNumber(node));
    if (nonNumeric !== undefined)
      return macroError(nonNumeric, `${name} simple literal arguments must be numeric`);
    return args.length === 2
      ? helper.call(functionName, ...args)
      : helper.call(functionName, helper.list(...args));
  });

const languageMacros: readonly Macro[] = [
  receiverMacro('bind', 3, celBind),
  receiverMacro('greatest', 'any', greatestOrLeast('math.greatest()', 'math.@max')),
  receiverMacro('least', 'any', greatestOrLeast('math.least()', 'math.@min')),
];

/** The macros of the authentication environments and those of the specification. */
export const allMacros = macroTable(
  [...authenticationMacros.values()].flat().concat(languageMacros),
);
