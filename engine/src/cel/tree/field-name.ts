/** Escaped names of fields: `a__dot__b` is the field `a.b`, at every depth. */

const escapeSequence = /__[^_]+__/g;

const characterByEscape: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The field that a name stands for; `undefined` for a name with an unknown sequence in it. */
export const unescapeName = (name: string): string | undefined => {
  if (!name.includes('__')) return name;
  let isValid = true;
  const unescaped = name.replace(escapeSequence, (match) => {
    const inner = match.slice(2, -2);
    const character = characterByEscape.get(inner);
    if (character !== undefined) return character;
    // A reserved word must be the whole name.
    if (!reservedWords.has(inner) || match.length !== name.length) isValid = false;
    return inner;
  });
  return isValid ? unescaped : undefined;
};

/** How a field has to be written so that it is found by its name: `a__b` is `a__underscores__b`. */
export const escapeName = (field: string): string =>
  unescapeName(field) === field ? field : field.replaceAll('__', '__underscores__');
