/**
 * The macros by name. The shapes that they expand to, with their hidden variables, are those of the
 * reference implementation: they decide run-time cost and stand in messages.
 */
import type { Release } from '../../model/release.ts';
import { celBind, extreme, optionalMacro, sortBy } from './macro-bindings.ts';
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
  quantified,
  transformMap,
  twoVariables,
} from './macro-loops.ts';
import type { WrittenCall } from './tree-builder.ts';

/** `authentication`: what the real server has. `language`: also what the language's own tests need. */
export type MacroSet = 'authentication' | 'language';

/** The expander for a call, if its name, form and number of arguments are those of a macro. */
export const findMacro = (
  call: WrittenCall,
  builder: { readonly release: Release; readonly macros: MacroSet },
): MacroExpander | undefined => {
  const candidates = macrosByName.get(call.function);
  if (candidates === undefined) return undefined;
  for (const macro of candidates) {
    if (macro.receiver !== (call.target !== undefined)) continue;
    if (macro.count !== 'any' && macro.count !== call.args.length) continue;
    if (macro.since !== undefined && builder.release < macro.since) continue;
    if (macro.set === 'language' && builder.macros !== 'language') continue;
    return macro.expand;
  }
  return undefined;
};

interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  readonly count: number | 'any';
  readonly since?: Release;
  readonly set: MacroSet;
  readonly expand: MacroExpander;
}

const receiver = (name: string, count: number, expand: MacroExpander, since?: Release): Macro => ({
  name,
  receiver: true,
  count,
  expand,
  set: 'authentication',
  ...(since === undefined ? {} : { since }),
});

const table: readonly Macro[] = [
  { name: 'has', receiver: false, count: 1, set: 'authentication', expand: has },
  receiver('all', 2, loopMacro(quantified, all)),
  receiver('exists', 2, loopMacro(quantified, exists)),
  receiver('exists_one', 2, loopMacro(quantified, existsOne)),
  receiver('map', 2, mapMacro),
  receiver('map', 3, mapMacro),
  receiver('filter', 2, filterMacro),
  receiver(
    'optMap',
    2,
    optionalMacro('optMap', (make, value) => make.call('optional.of', value)),
  ),
  receiver(
    'optFlatMap',
    2,
    optionalMacro('optFlatMap', (_, value) => value),
  ),
  receiver('all', 3, loopMacro(twoVariables, all), 32),
  receiver('exists', 3, loopMacro(twoVariables, exists), 32),
  receiver('existsOne', 3, loopMacro(twoVariables, existsOne), 32),
  receiver('exists_one', 3, loopMacro(twoVariables, existsOne), 32),
  receiver('transformList', 3, loopMacro(twoVariables, collectList), 32),
  receiver('transformList', 4, loopMacro(twoVariables, collectList), 32),
  receiver('transformMap', 3, transformMap, 32),
  receiver('transformMap', 4, transformMap, 32),
  receiver('transformMapEntry', 3, loopMacro(twoVariables, collectEntries), 32),
  receiver('transformMapEntry', 4, loopMacro(twoVariables, collectEntries), 32),
  receiver('sortBy', 2, sortBy, 34),
  { ...receiver('bind', 3, celBind), set: 'language' },
  {
    ...receiver('greatest', 0, extreme('math.greatest()', 'math.@max')),
    count: 'any',
    set: 'language',
  },
  { ...receiver('least', 0, extreme('math.least()', 'math.@min')), count: 'any', set: 'language' },
];

const macrosByName: ReadonlyMap<string, readonly Macro[]> = Map.groupBy(
  table,
  (macro) => macro.name,
);

/** Names of all macros with the number of their arguments, for completion and hover. */
export const macroSignatures = (
  release: Release,
  set: MacroSet,
): readonly {
  readonly name: string;
  readonly receiver: boolean;
  readonly count: number | 'any';
}[] =>
  table.filter(
    (macro) =>
      (macro.since === undefined || macro.since <= release) &&
      (macro.set === 'authentication' || set === 'language'),
  );
