/** Implementations of the strings library. Indexes count code points. */
import { namedEscapes } from '../../formats/go-quote.ts';
import { trimSpace } from '../../formats/go-space.ts';
import { findFirst, findLast, splitBy } from '../../formats/text-search.ts';
import { codePointCount, codePoints, hasNoSurrogates } from '../tree/code-points.ts';
import { maxValueLength, sizeLimitExceeded } from './arithmetic.ts';
import { printValue, printWrapped } from './print-value.ts';
import {
  type Body,
  CelError,
  type CelResult,
  type CelValue,
  isList,
  noSuchOverload,
  stringList,
} from './value.ts';

/** Evaluates `text.charAt(index)`. */
export const charAt: Body = (text = null, index = null) => {
  if (typeof text !== 'string' || typeof index !== 'bigint') return noSuchOverload;
  const characters = codePoints(text);
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
};

/** Evaluates `text.indexOf(part)` and `text.indexOf(part, from)`. */
export const indexOf: Body = (text = null, part = null, from = 0n) => {
  if (typeof text !== 'string' || typeof part !== 'string' || typeof from !== 'bigint') {
    return noSuchOverload;
  }
  if (from < 0n) return outOfRange(from);
  const size = BigInt(codePointCount(text));
  if (part === '') return from > size ? size : from;
  if (from >= size) return -1n;
  const position = findFirst(text, part, unitIndex(text, Number(from)));
  return BigInt(codePointIndex(text, position));
};

/**
 * Evaluates `text.indexOf(part, from)` up to 1.36: an empty part is found at every offset, whatever
 * the length of the string.
 */
export const indexOfAnyEmpty: Body = (text = null, part = null, from = 0n) =>
  typeof text === 'string' && part === '' && typeof from === 'bigint'
    ? from
    : indexOf(text, part, from);

/**
 * Evaluates `text.indexOf(part, from)` up to 1.31: an offset beyond the end is an error, as is 0
 * for an empty string.
 */
export const indexInRange: Body = (text = null, part = null, from = 0n) =>
  isBeyondEnd(text, part, from) ? outOfRange(from) : indexOfAnyEmpty(text, part, from);

/** Evaluates `text.lastIndexOf(part, from)` up to 1.31: an offset beyond the end is an error. */
export const lastIndexInRange: Body = (text = null, part = null, from = 0n) =>
  isBeyondEnd(text, part, from) ? outOfRange(from) : lastIndexOfAnyEmpty(text, part, from);

const isBeyondEnd = (text: CelValue, part: CelValue, from: CelValue): from is bigint =>
  typeof text === 'string' &&
  typeof part === 'string' &&
  part !== '' &&
  typeof from === 'bigint' &&
  from >= BigInt(codePointCount(text));

/** Evaluates `text.lastIndexOf(part, from)` up to 1.36: an empty part is found at every offset. */
export const lastIndexOfAnyEmpty: Body = (text = null, part = null, from = null) =>
  typeof text === 'string' && part === '' && typeof from === 'bigint'
    ? from
    : lastIndexOf(text, part, from);

/**
 * Evaluates `text.lastIndexOf(part)` up to 1.33: the search in an empty string begins before its
 * start, which is an error.
 */
export const lastIndexInNonEmpty: Body = (text = null, part = null) =>
  text === '' && typeof part === 'string' && part !== ''
    ? outOfRange(-1n)
    : lastIndexOf(text, part);

/** Evaluates `text.lastIndexOf(part)` and `text.lastIndexOf(part, from)`. */
export const lastIndexOf: Body = (text = null, part = null, from?: CelValue) => {
  if (typeof text !== 'string' || typeof part !== 'string') return noSuchOverload;
  if (from !== undefined && typeof from !== 'bigint') return noSuchOverload;
  const size = BigInt(codePointCount(text));
  if (from === undefined) {
    return part === '' ? size : BigInt(codePointIndex(text, findLast(text, part)));
  }
  if (from < 0n) return outOfRange(from);
  if (part === '') return from > size ? size : from;
  if (from >= size) return -1n;
  const position = findLast(text, part, unitIndex(text, Number(from)));
  return BigInt(codePointIndex(text, position));
};

/** Evaluates `text.substring(start)` and `text.substring(start, end)`. */
export const substring: Body = (text = null, start = null, end?: CelValue) => {
  if (typeof text !== 'string' || typeof start !== 'bigint') return noSuchOverload;
  if (end !== undefined && typeof end !== 'bigint') return noSuchOverload;
  const size = BigInt(codePointCount(text));
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > size) return outOfRange(start);
  if (end !== undefined && end > size) return outOfRange(end);
  const from = unitIndex(text, Number(start));
  return end === undefined ? text.slice(from) : text.slice(from, unitIndex(text, Number(end)));
};

/** Evaluates `text.lowerAscii()`. */
export const lowerAscii: Body = (text = null) =>
  typeof text === 'string'
    ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : noSuchOverload;

/** Evaluates `text.upperAscii()`. */
export const upperAscii: Body = (text = null) =>
  typeof text === 'string'
    ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : noSuchOverload;

/** Evaluates `text.trim()`. It trims the white space of Go: U+0085, but not U+FEFF. */
export const trim: Body = (text = null) =>
  typeof text === 'string' ? trimSpace(text) : noSuchOverload;

/** Evaluates `text.replace(old, new)` and `text.replace(old, new, limit)`. */
export const replace: Body = (text = null, old = null, by = null, limit = -1n) => {
  if (typeof text !== 'string' || typeof old !== 'string' || typeof by !== 'string') {
    return noSuchOverload;
  }
  if (typeof limit !== 'bigint') return noSuchOverload;
  const pieces = old === '' ? codePoints(text) : splitBy(text, old);
  const occurrences = old === '' ? pieces.length + 1 : pieces.length - 1;
  const count = limit < 0n || limit > BigInt(occurrences) ? occurrences : Number(limit);
  if (count === 0) return text;
  if (text.length + count * (by.length - old.length) > maxValueLength) return sizeLimitExceeded;
  if (old !== '') return replaceFirst(pieces, old, by, count);
  return (
    pieces.map((piece, index) => (index < count ? by + piece : piece)).join('') +
    (count > pieces.length ? by : '')
  );
};

/** Evaluates `text.split(separator)` and `text.split(separator, limit)`. */
export const split: Body = (text = null, separator = null, limit = -1n) => {
  if (typeof text !== 'string' || typeof separator !== 'string' || typeof limit !== 'bigint') {
    return noSuchOverload;
  }
  if (limit === 0n) return stringList([]);
  const parts = separator === '' ? codePoints(text) : splitBy(text, separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return stringList(parts);
  const lastIndex = Number(limit) - 1;
  return stringList([...parts.slice(0, lastIndex), parts.slice(lastIndex).join(separator)]);
};

/** Evaluates `list.join()` and `list.join(separator)`. */
export const join: Body = (list = null, separator = '') => joinStrings(list, separator, printValue);

/** Evaluates `join` for a list whose elements are data of a variable: only its error differs. */
export const joinWrapped: Body = (list = null, separator = '') =>
  joinStrings(list, separator, printWrapped);

const joinStrings = (
  list: CelValue,
  separator: CelValue,
  print: (value: CelValue) => string,
): CelResult => {
  if (!isList(list) || typeof separator !== 'string') return noSuchOverload;
  let length = 0;
  let joined = '';
  for (const [index, element] of list.entries()) {
    if (typeof element !== 'string') {
      return new CelError(`join: invalid input: ${print(element)}`);
    }
    length += element.length + separator.length;
    if (length > maxValueLength) return sizeLimitExceeded;
    joined += index === 0 ? element : separator + element;
  }
  return joined;
};

/** Evaluates `strings.quote(text)`. */
export const quote: Body = (text = null) => {
  if (typeof text !== 'string') return noSuchOverload;
  const escaped = text
    .toWellFormed()
    .replace(
      /[\x07\b\f\n\r\t\v\\"]/g,
      (character) => namedEscapes.get(character) ?? `\\${character}`,
    );
  return `"${escaped}"`;
};

const outOfRange = (index: bigint): CelError => new CelError(`index out of range: ${index}`);

/** Converts a code point index to a UTF-16 index. */
const unitIndex = (text: string, index: number): number => {
  if (hasNoSurrogates(text)) return index;
  let units = 0;
  for (let seen = 0; seen < index && units < text.length; seen++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
};

/** Converts a UTF-16 index to a code point index; -1 remains. */
const codePointIndex = (text: string, unit: number): number =>
  unit < 0 ? unit : codePointCount(text.slice(0, unit));

const replaceFirst = (parts: readonly string[], old: string, by: string, count: number): string => {
  if (count >= parts.length - 1) return parts.join(by);
  return parts.slice(0, count).join(by) + by + parts.slice(count).join(old);
};
