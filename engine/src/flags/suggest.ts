/** Suggestions for names of commands, flags and values that are misspelled or come from other programs. */
import { editDistance } from '../formats/edit-distance.ts';
import type { FlagRow } from './flag.ts';

/**
 * Returns the only name that starts with the text, or else the name with the smallest edit distance
 * if it differs in only a few letters. Upper and lower case are equal.
 */
export const nearestName = (text: string, names: readonly string[]): string | undefined => {
  const wanted = text.toLowerCase();
  const started =
    wanted.length < minStart ? [] : names.filter((name) => name.toLowerCase().startsWith(wanted));
  if (started.length === 1) return started[0];
  // Swapped letters are more likely than a wrong one: `tsl` means `tls` rather than `ttl`.
  const letters = sortedLetters(wanted);
  const rankOf = (name: string): number => (sortedLetters(name) === letters ? 0 : 1);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || rankOf(a.name) - rankOf(b.name));
  return best?.name;
};

const sortedLetters = (text: string): string => [...text.toLowerCase()].sort().join('');

/** A single letter starts too many names. */
const minStart = 2;

/** Returns `Did you mean --x?`, or an empty text. */
export const longFlagHelp = (name: string, rows: readonly FlagRow[]): string => {
  const known = otherNames.get(name)?.filter((other) => hasFlag(rows, other)) ?? [];
  if (known.length > 0) return questionOf(known);
  const names = rows.flatMap((row) => (row.alias === undefined ? row.name : [row.name, row.alias]));
  const near = nearestName(name, [...names, 'help']);
  return near === undefined ? '' : questionOf([near]);
};

/** Suggests a flag with a longer name that accepts the value, for example `--fail-on-change` for `--fail-on gain`. */
export const otherFlagHelp = (
  text: string,
  { name }: FlagRow,
  rows: readonly FlagRow[],
): string => {
  const meant = rows.find(
    (row) =>
      row.name.startsWith(`${name}-`) &&
      text.split(',').every((value) => row.choices?.includes(value)),
  );
  return meant === undefined ? '' : questionOf([meant.name]);
};

/** Returns the help for an argument such as `-f` or `-config`, whose letter is no shorthand. */
export const shorthandHelp = (argument: string, rows: readonly FlagRow[]): string => {
  const [name = ''] = argument.slice(1).split('=', 1);
  if (name.length > 1) {
    if (hasFlag(rows, name)) return questionOf([name]);
    const near = longFlagHelp(name, rows);
    if (near !== '') return near;
  }
  const known = otherLetters.get(name[0] ?? '')?.filter((other) => hasFlag(rows, other)) ?? [];
  return known.length === 0 ? '' : questionOf(known);
};

const hasFlag = (rows: readonly FlagRow[], name: string): boolean =>
  rows.some((row) => row.name === name || row.alias === name);

const questionOf = (names: readonly string[]): string =>
  `Did you mean ${names.map((name) => `--${name}`).join(' or ')}?`;

/** Flags of other programs, with the flags that have their meaning. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication-config', ['config']],
  ['configuration', ['config']],
  ['file', ['config']],
  ['filename', ['config']],
  ['format', ['output']],
  ['json', ['output']],
  ['output-file', ['out']],
  ['overwrite', ['force']],
  ['token', ['token-file']],
  ['release', ['target-version']],
  ['kubernetes-version', ['target-version']],
  ['emulated-version', ['target-version']],
]);

/** Letters of other programs, with the flags that have their meaning. */
const otherLetters: ReadonlyMap<string, readonly string[]> = new Map([
  ['f', ['config', 'output', 'force']],
  ['o', ['out']],
  ['t', ['target-version']],
  ['p', ['secure-port']],
]);
