/**
 * Writes objects as YAML like kube-apiserver: keys are sorted; strings are plain where they parse
 * as strings, in double quotes where they would parse as another type, and in single quotes where
 * only their characters require quotes. Long strings are folded at the first space after column 80.
 */

import type { OutputMap, OutputValue } from './output-value.ts';
import { byCodePoint } from './string-order.ts';

export const writeYaml = (object: OutputMap): string => writeMap(object, '');

const writeMap = (map: OutputMap, indent: string): string =>
  [...map]
    .sort(([left], [right]) => compareNaturally(left, right))
    .map(([key, value]) => {
      const name = writeString(key);
      return `${indent}${name}:${writeAfterKey(value, { indent, column: indent.length + name.length + 2 })}`;
    })
    .join('');

/** The column at which a scalar starts, and the indentation of its key or dash. */
interface ScalarPosition {
  readonly indent: string;
  readonly column: number;
}

/** A list is indented like its key, a map by two more spaces. */
const writeAfterKey = (value: OutputValue, place: ScalarPosition): string => {
  const { indent } = place;
  if (typeof value !== 'object' || value === null) return ` ${writeScalar(value, place)}\n`;
  if (isList(value)) return value.length === 0 ? ' []\n' : `\n${writeList(value, indent)}`;
  return value.size === 0 ? ' {}\n' : `\n${writeMap(value, `${indent}  `)}`;
};

const writeList = (list: readonly OutputValue[], indent: string): string =>
  list.map((item) => `${indent}- ${writeAfterDash(item, indent)}`).join('');

const writeAfterDash = (item: OutputValue, indent: string): string => {
  if (typeof item !== 'object' || item === null) {
    return `${writeScalar(item, { indent, column: indent.length + 2 })}\n`;
  }
  if (isList(item)) {
    return item.length === 0 ? '[]\n' : writeList(item, `${indent}  `).trimStart();
  }
  return item.size === 0 ? '{}\n' : writeMap(item, `${indent}  `).trimStart();
};

const isList = (value: OutputValue): value is readonly OutputValue[] => Array.isArray(value);

const writeScalar = (value: string | number | boolean | null, place: ScalarPosition): string =>
  typeof value === 'string' ? writeString(value, place) : String(value);

/** Strings that YAML 1.1 parses as null, boolean, number, timestamp or merge key. */
const readsAsOtherType =
  /^(?:|~|null|Null|NULL|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9A-Fa-f_]+|[0-9][0-9_]*)|[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::?\d{2})?))?)?)$/;

/** Characters with a meaning at the start of a scalar, and sequences with a meaning anywhere. */
const notPlain = /^[-?:](?: |$)|^[,[\]{}#&*!|>'"%@`]|^---|^\.\.\.|: |:$| #|^ | $/;

/**
 * Characters that need double quotes; like kube-apiserver's library, including all beyond the Basic
 * Multilingual Plane.
 */
const needsEscapes =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\u{10000}-\u{10ffff}]/u;

/** Writes a string as a scalar. Without a position, as for keys, it is never folded. */
export const writeString = (text: string, place?: ScalarPosition): string => {
  if (needsEscapes.test(text) || readsAsOtherType.test(text))
    return fold(doubleQuote(text), place, '"');
  if (text.includes('\n')) return writeLiteralBlock(text, place?.indent ?? '');
  if (notPlain.test(text)) return fold(`'${text.replaceAll("'", "''")}'`, place, "'");
  return fold(text, place, '');
};

const bestWidth = 80;

/**
 * Folds at single spaces after the maximum width. The first and last characters of quoted strings
 * are not separated from their quotes.
 */
const fold = (text: string, place: ScalarPosition | undefined, quote: '' | "'" | '"'): string => {
  if (place === undefined || place.column + text.length <= bestWidth) return text;
  const characters = [...text];
  const edge = quote === '' ? 0 : 2;
  let column = place.column;
  let output = '';
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    const inside = quote === '' || (index >= edge && index < characters.length - edge);
    const breaks =
      character === ' ' &&
      !afterSpace &&
      column > bestWidth &&
      inside &&
      (quote === '"' || next !== ' ');
    afterSpace = character === ' ';
    if (breaks) {
      output += `\n${place.indent}  ${quote === '"' && next === ' ' ? '\\' : ''}`;
      column = place.indent.length + 2;
    } else {
      output += character;
      column += 1;
    }
  }
  return output;
};

const writeLiteralBlock = (text: string, indent: string): string => {
  if (/[ \t]\n/.test(text)) return doubleQuote(text);
  const chomp = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  // A string that starts with white space needs an indentation indicator.
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const lines = text.replace(/\n$/, '').split('\n');
  const body = lines.map((line) => (line === '' ? '' : `${indent}  ${line}`)).join('\n');
  return `|${hint}${chomp}\n${body}`;
};

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['\u0085', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

const doubleQuote = (text: string): string => {
  const escaped = Array.from(text.toWellFormed(), (character) => {
    const name = namedEscapes.get(character);
    if (name !== undefined) return name;
    return needsEscapes.test(character) ? numericEscape(character.codePointAt(0) ?? 0) : character;
  });
  return `"${escaped.join('')}"`;
};

const numericEscape = (code: number): string => {
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
};

/**
 * Sorts like kube-apiserver's YAML library: digits in keys compare as numbers, and letters sort
 * after all other characters.
 */
const compareNaturally = (left: string, right: string): number => {
  const a = left.match(/\d+|\D/gu) ?? [];
  const b = right.match(/\d+|\D/gu) ?? [];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [x = '', y = ''] = [a[index], b[index]];
    if (x === y) continue;
    if (/\d/.test(x) && /\d/.test(y)) return Number(BigInt(x) - BigInt(y)) || x.length - y.length;
    const [xLetter, yLetter] = [/\p{L}/u.test(x), /\p{L}/u.test(y)];
    if (xLetter !== yLetter) return xLetter ? 1 : -1;
    return byCodePoint(x, y);
  }
  return a.length - b.length;
};
