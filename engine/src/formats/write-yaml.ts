/**
 * Objects to YAML as the real server writes it: keys sorted, plain where the text reads back as
 * text, double quotes where it would be read as something else, single quotes where only the
 * characters forbid plain. Long texts are folded at the first space beyond column 80.
 */

import type { OutputValue, OutputMap } from './output-value.ts';
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

/** Where a scalar starts, and the indentation of its key or dash. */
interface ScalarPosition {
  readonly indent: string;
  readonly column: number;
}

/** A list stands as deep as its key, a map two spaces deeper. */
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

/** Texts that YAML 1.1 reads as null, boolean, number, time or merge. */
const readsAsOtherType =
  /^(?:|~|null|Null|NULL|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9A-Fa-f_]+|[0-9][0-9_]*)|[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::?\d{2})?))?)?)$/;

/** Characters with a meaning at the start, and sequences with one anywhere. */
const notPlain = /^[-?:](?: |$)|^[,[\]{}#&*!|>'"%@`]|^---|^\.\.\.|: |:$| #|^ | $/;

/** What only double quotes can hold; everything beyond the first plane too, as the real writer thinks. */
const needsEscapes =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\u{10000}-\u{10ffff}]/u;

/** Without a place the text is a key, which is never folded. */
const writeString = (text: string, place?: ScalarPosition): string => {
  if (needsEscapes.test(text) || readsAsOtherType.test(text))
    return fold(doubleQuote(text), place, '"');
  if (text.includes('\n')) return writeLiteralBlock(text, place?.indent ?? '');
  if (notPlain.test(text)) return fold(`'${text.replaceAll("'", "''")}'`, place, "'");
  return fold(text, place, '');
};

const bestWidth = 80;

/** Breaks at single spaces that stand beyond the best width; quoted texts keep first and last character. */
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
  // Where the text itself starts with white space the indentation has to be told.
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

/** Digits inside keys compare as numbers, letters after everything else, as the real writer sorts. */
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
