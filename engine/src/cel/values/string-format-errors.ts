/** The errors of the clauses of `string.format`, as cel-go words them. */

/** Each message is followed by `, was given …` and the name of a type. */
export const formatClauseErrors = {
  string:
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  decimal: 'decimal clause can only be used on integers',
  fixed: 'fixed-point clause can only be used on doubles',
  scientific: 'scientific clause can only be used on doubles',
  binary: 'only integers and bools can be formatted as binary',
  octal: 'octal clause can only be used on integers',
  hex: 'only integers, byte buffers, and strings can be formatted as hex',
} as const;
