/**
 * The macros by name. They expand exactly like in cel-go, including hidden variables, because the
 * expansions determine the cost at runtime and appear in messages.
 */
import type { Release } from '../../model/release.ts';
import type { CallNode } from '../tree/ast.ts';
import { optionalMacro, sortBy } from './macro-bindings.ts';
import type { MacroExpander } from './macro-expansion.ts';
import {
  all,
  collectEntries,
  collectList,
  exists,
  existsOne,
  filterMacro,
  has,
  loopMacro,
  mapMacro,
  quantifierVariable,
  transformMap,
  twoVariables,
} from './macro-loops.ts';

/** A macro: the calls that it matches, and their expansion. */
export interface Macro {
  readonly name: string;
  readonly isReceiverStyle: boolean;
  readonly argCount: number | 'any';
  readonly since?: Release;
  readonly expand: MacroExpander;
}

/** The macros of an environment, by name. */
export type MacroTable = ReadonlyMap<string, readonly Macro[]>;

/** Returns the expander for a call if a macro has its name, call style and number of arguments. */
export const findMacro = (
  call: Pick<CallNode, 'function' | 'target' | 'args'>,
  { release, macros }: { readonly release: Release; readonly macros: MacroTable },
): MacroExpander | undefined =>
  macros
    .get(call.function)
    ?.find(
      (macro) =>
        macro.isReceiverStyle === (call.target !== undefined) &&
        (macro.argCount === 'any' || macro.argCount === call.args.length) &&
        existsIn(macro, release),
    )?.expand;

const existsIn = ({ since }: Macro, release: Release): boolean =>
  since === undefined || since <= release;

/** Creates a table of macros. */
export const macroTable = (macros: readonly Macro[]): MacroTable =>
  Map.groupBy(macros, ({ name }) => name);

/** Creates a macro that is called on a receiver. */
export const receiverMacro = (
  name: string,
  argCount: Macro['argCount'],
  expand: MacroExpander,
  since?: Release,
): Macro => ({
  name,
  isReceiverStyle: true,
  argCount,
  expand,
  ...(since === undefined ? {} : { since }),
});

/** The macros of the authentication environments. */
export const authenticationMacros = macroTable([
  { name: 'has', isReceiverStyle: false, argCount: 1, expand: has },
  receiverMacro('all', 2, loopMacro(quantifierVariable, all)),
  receiverMacro('exists', 2, loopMacro(quantifierVariable, exists)),
  receiverMacro('exists_one', 2, loopMacro(quantifierVariable, existsOne)),
  receiverMacro('map', 2, mapMacro),
  receiverMacro('map', 3, mapMacro),
  receiverMacro('filter', 2, filterMacro),
  receiverMacro(
    'optMap',
    2,
    optionalMacro('optMap', (helper, value) => helper.call('optional.of', value)),
  ),
  receiverMacro(
    'optFlatMap',
    2,
    optionalMacro('optFlatMap', (_, value) => value),
  ),
  receiverMacro('all', 3, loopMacro(twoVariables, all), 32),
  receiverMacro('exists', 3, loopMacro(twoVariables, exists), 32),
  receiverMacro('existsOne', 3, loopMacro(twoVariables, existsOne), 32),
  receiverMacro('exists_one', 3, loopMacro(twoVariables, existsOne), 32),
  receiverMacro('transformList', 3, loopMacro(twoVariables, collectList), 32),
  receiverMacro('transformList', 4, loopMacro(twoVariables, collectList), 32),
  receiverMacro('transformMap', 3, transformMap, 32),
  receiverMacro('transformMap', 4, transformMap, 32),
  receiverMacro('transformMapEntry', 3, loopMacro(twoVariables, collectEntries), 32),
  receiverMacro('transformMapEntry', 4, loopMacro(twoVariables, collectEntries), 32),
  receiverMacro('sortBy', 2, sortBy, 34),
]);

/** Lists the macros of a release. */
export const macrosIn = (
  release: Release,
  macros: MacroTable = authenticationMacros,
): readonly Macro[] => [...macros.values()].flat().filter((macro) => existsIn(macro, release));
