/**
 * The macros by name. They expand exactly like in cel-go, including hidden variables, because the
 * expansions determine the cost at runtime and appear in messages.
 */
import type { Release } from '../../model/release.ts';
import { celBind, greatestOrLeast, optionalMacro, sortBy } from './macro-bindings.ts';
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
import type { CallParts } from './tree-builder.ts';

/**
 * `authentication` has the macros of kube-apiserver; `language` adds those of the CEL conformance
 * tests.
 */
export type MacroSet = 'authentication' | 'language';

/** Returns the expander for a call if a macro has its name, call style and number of arguments. */
export const findMacro = (
  call: CallParts,
  builder: { readonly release: Release; readonly macros: MacroSet },
): MacroExpander | undefined => {
  const candidates = macrosByName.get(call.function);
  if (candidates === undefined) return undefined;
  for (const macro of candidates) {
    if (macro.isReceiverStyle !== (call.target !== undefined)) continue;
    if (macro.argCount !== 'any' && macro.argCount !== call.args.length) continue;
    if (macro.since !== undefined && builder.release < macro.since) continue;
    if (macro.set === 'language' && builder.macros !== 'language') continue;
    return macro.expand;
  }
  return undefined;
};

interface Macro {
  readonly name: string;
  readonly isReceiverStyle: boolean;
  readonly argCount: number | 'any';
  readonly since?: Release;
  readonly set: MacroSet;
  readonly expand: MacroExpander;
}

const receiverMacro = (
  name: string,
  argCount: number,
  expand: MacroExpander,
  since?: Release,
): Macro => ({
  name,
  isReceiverStyle: true,
  argCount,
  expand,
  set: 'authentication',
  ...(since === undefined ? {} : { since }),
});

const table: readonly Macro[] = [
  { name: 'has', isReceiverStyle: false, argCount: 1, set: 'authentication', expand: has },
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
  { ...receiverMacro('bind', 3, celBind), set: 'language' },
  {
    ...receiverMacro('greatest', 0, greatestOrLeast('math.greatest()', 'math.@max')),
    argCount: 'any',
    set: 'language',
  },
  {
    ...receiverMacro('least', 0, greatestOrLeast('math.least()', 'math.@min')),
    argCount: 'any',
    set: 'language',
  },
];

const macrosByName: ReadonlyMap<string, readonly Macro[]> = Map.groupBy(
  table,
  (macro) => macro.name,
);

/** Lists the macros with their call style and number of arguments. */
export const macroSignatures = (
  release: Release,
  set: MacroSet,
): readonly {
  readonly name: string;
  readonly isReceiverStyle: boolean;
  readonly argCount: number | 'any';
}[] =>
  table.filter(
    (macro) =>
      (macro.since === undefined || macro.since <= release) &&
      (macro.set === 'authentication' || set === 'language'),
  );
