/**
 * Parses the JSON of tokens with `JSON.parse`, and measures its shape in one pass over the bytes:
 * what `JSON.parse` hides (repeated members, depth, sizes) or parses differently from Go (lone
 * surrogates, numbers that exceed a double). Rare cases use `json-with-positions.ts`.
 */
import { decodeAscii } from './host-buffer.ts';
import { goMaxJsonDepth } from './json-with-positions.ts';
import { decodeUtf8, decodeUtf8Loosely } from './utf8.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A record created by `JSON.parse`: only own members count, whatever their names. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export interface JsonWithShape {
  readonly value: JsonValue;
  readonly shape: JsonShape;
  /** Whether invalid UTF-8 or escapes of lone surrogates were replaced with U+FFFD. */
  readonly isRepaired: boolean;
}

export interface JsonShape {
  /** The deepest nesting: 1 for `{}`. */
  readonly depth: number;
  /**
   * The number of members of the outermost object in the source, including repeated ones; 1 for
   * `{}`, too.
   */
  readonly outerMembers: number;
  /** The number of members of all objects, counted in the same way. */
  readonly allMembers: number;
  readonly mostMembers: number;
  readonly mostItems: number;
  /** Whether a number has an exponent or hundreds of digits and may exceed a double. */
  readonly mayOverflow: boolean;
  /**
   * Whether a number has a fraction, an exponent or more than 15 digits: its double may not show
   * which integer it is, or whether it was written as one.
   */
  readonly hasUnusualNumber: boolean;
  /** Whether an escape is in the range of surrogates and may be a lone one. */
  readonly hasSurrogateEscapes: boolean;
  /** Whether all bytes are ASCII, if the JSON is valid. */
  readonly isAscii: boolean;
}

/** Returns `undefined` for malformed JSON, or if it is nested deeper than Go accepts. */
export const readJsonWithShape = (bytes: Uint8Array): JsonWithShape | undefined => {
  const shape = measureJson(bytes);
  if (shape.depth > goMaxJsonDepth) return undefined;
  const strict = strictText(bytes, shape);
  const text = strict ?? decodeUtf8Loosely(bytes);
  const value = parse(text);
  if (value === undefined) return undefined;
  const isRepaired = strict === undefined;
  if (!shape.hasSurrogateEscapes) return { value, shape, isRepaired };
  const wellFormed = replaceLoneSurrogates(text);
  if (wellFormed === text) return { value, shape, isRepaired };
  return { value: parse(wellFormed) ?? value, shape, isRepaired: true };
};

const strictText = (bytes: Uint8Array, { isAscii }: JsonShape): string | undefined =>
  isAscii ? (decodeAscii(bytes) ?? decodeUtf8(bytes)) : decodeUtf8(bytes);

type ValueWithIntegers =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ValueWithIntegers[]
  | ObjectWithIntegers;

/** JSON in which an integer of 64 bits is a bigint, and every other number a double. */
export interface ObjectWithIntegers {
  readonly [name: string]: ValueWithIntegers;
}

/** Parses a JSON object that `readJsonWithShape` has accepted. */
export const readObjectWithIntegers = (bytes: Uint8Array): ObjectWithIntegers => {
  const text = strictText(bytes, measureJson(bytes)) ?? decodeUtf8Loosely(bytes);
  return JSON.parse(replaceLoneSurrogates(text), toInteger);
};

/** Browsers without `context` keep doubles. */
const toInteger = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !/^-?\d+$/.test(source)) return value;
  const integer = BigInt(source);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
};

/** Returns an own member; a missing one is `undefined` even if it is called `constructor`. */
export const ownMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const quote = 0x22;
const backslash = 0x5c;
const decimalPoint = 0x2e;

/**
 * Marks bytes that need attention inside a string: quotes, backslashes and parts of longer
 * characters.
 */
const specialStringBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === quote || byte === backslash || byte >= 0x80 ? 1 : 0,
);

/** More digits than the longest integer that fits into a double. */
const overflowDigits = 300;

/** Integers with this many digits are exact as doubles. */
const exactDigits = 15;

/** Measures valid JSON. The result for malformed JSON is not used. */
const measureJson = (bytes: Uint8Array): JsonShape => {
  /** The number of commas in each open container, by depth. */
  const commas = [0];
  let depth = 0;
  let deepest = 0;
  let outerMembers = 0;
  let allMembers = 0;
  let mostMembers = 0;
  let mostItems = 0;
  let mayOverflow = false;
  let hasUnusualNumber = false;
  let hasSurrogateEscapes = false;
  let isAscii = true;
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at += 1;
        for (;;) {
          while (at < length && specialStringBytes[bytes[at] ?? 0] === 0) at += 1;
          if (at >= length || bytes[at] === quote) break;
          if (bytes[at] !== backslash) {
            isAscii = false;
            at += 1;
            continue;
          }
          at += 1;
          // `\ud…`, `\uD…`
          if (bytes[at] === 0x75 && ((bytes[at + 1] ?? 0) | 0x20) === 0x64) {
            hasSurrogateEscapes = true;
          }
          if ((bytes[at] ?? 0) >= 0x80) isAscii = false;
          at += 1;
        }
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > deepest) deepest = depth;
        if (depth > goMaxJsonDepth) at = length;
        else commas[depth] = 0;
        break;
      case 0x2c: // ,
        commas[depth] = (commas[depth] ?? 0) + 1;
        break;
      case 0x7d: {
        const members = (commas[depth] ?? 0) + 1;
        allMembers += members;
        if (members > mostMembers) mostMembers = members;
        if (depth === 1) outerMembers = members;
        depth -= 1;
        break;
      }
      case 0x5d: {
        const items = (commas[depth] ?? 0) + 1;
        if (items > mostItems) mostItems = items;
        depth -= 1;
        break;
      }
      case 0x30:
      case 0x31:
      case 0x32:
      case 0x33:
      case 0x34:
      case 0x35:
      case 0x36:
      case 0x37:
      case 0x38:
      case 0x39: {
        const start = at;
        while (at + 1 < length && isDigit(bytes[at + 1])) at += 1;
        if (bytes[at + 1] === decimalPoint || at - start >= exactDigits) hasUnusualNumber = true;
        // `e`, `E`
        if (((bytes[at + 1] ?? 0) | 0x20) === 0x65 || at - start > overflowDigits) {
          mayOverflow = true;
          hasUnusualNumber = true;
        }
        break;
      }
    }
  }
  return {
    depth: deepest,
    outerMembers,
    allMembers,
    mostMembers,
    mostItems,
    mayOverflow,
    hasUnusualNumber,
    hasSurrogateEscapes,
    isAscii,
  };
};

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Matches a surrogate pair, a lone surrogate, or any other escape, in this order. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./g;

/** Replaces escapes of lone surrogates in valid JSON with U+FFFD, also in names, like Go. */
const replaceLoneSurrogates = (text: string): string =>
  text.replace(escapes, (written) => (written.length === 6 ? '\\ufffd' : written));
