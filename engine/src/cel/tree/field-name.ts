/** CEL's escaping of field names: `a__dot__b` selects the field `a.b`. */

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

/**
 * Returns the field that an escaped name selects; `undefined` if the name has an unknown escape
 * sequence.
 */
export const unescapeName = (name: string): string | undefined => {
  if (!name.includes('__')) return name;
  let isValid = true;
  const unescaped = name.replace(escapeSequence, (match) => {
    const inner = match.slice(2, -2);
    const character = characterByEscape.get(inner);
    if (character !== undefined) return character;
    // An escaped reserved word must be the entire name.
    if (!reservedWords.has(inner) || match.length !== name.length) isValid = false;
    return inner;
  });
  return isValid ? unescaped : undefined;
};

/** Escapes a field name for use in an expression: `a__b` becomes `a__underscores__b`. */
export const escapeName = (field: string): string =>
  unescapeName(field) === field ? field : field.replaceAll('__', '__underscores__');
