/** The macros that declare variables. */

/** How many variables each macro declares; `either` means one or two. */
export const bindingMacros: ReadonlyMap<string, 'one' | 'two' | 'either'> = new Map([
  ['all', 'either'],
  ['exists', 'either'],
  ['exists_one', 'either'],
  ['existsOne', 'two'],
  ['map', 'one'],
  ['filter', 'one'],
  ['sortBy', 'one'],
  ['optMap', 'one'],
  ['optFlatMap', 'one'],
  ['transformList', 'two'],
  ['transformMap', 'two'],
  ['transformMapEntry', 'two'],
]);
