/**
 * The one quick reading of a token's JSON: `JSON.parse` plus one pass over the bytes that finds what
 * `JSON.parse` hides (repeated members, depth, sizes) or reads in another way than the real decoder
 * (lone surrogates, numbers that no double holds). `json-tree.ts` answers what is rare.
 */
import { decodeAscii } from './host-buffer.ts';
import { goMaxJsonDepth } from './json-with-positions.ts';
import { decodeUtf8, decodeUtf8Loosely } from './utf8.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A record made by `JSON.parse`: only its own members count, whatever they are called. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export interface JsonWithShape {
  readonly value: JsonValue;
  readonly shape: JsonShape;
  /** Bytes that are no UTF-8 or escapes of lone surrogates stood there; now they are U+FFFD. */
  readonly isRepaired: boolean;
}

export interface JsonShape {
  /** Deepest nesting: 1 for `{}`. */
  readonly depth: number;
  /** Members of the outermost object as written, repeated ones counted; 1 for `{}` too. */
  readonly outerMembers: number;
  /** Members of all objects together, counted so. */
  readonly allMembers: number;
  readonly mostMembers: number;
  readonly mostItems: number;
  /** A number with an exponent or of hundreds of digits: it may be more than a double holds. */
  readonly mayOverflow: boolean;
  /** An escape from the surrogate range: it may stand alone. */
  readonly hasSurrogateEscapes: boolean;
  /** In valid JSON: every byte is a character, as those outside of texts always are. */
  readonly isAscii: boolean;
}

/** `undefined` for what is no JSON, or nests deeper than the real decoder reads. */
export const readJsonWithShape = (bytes: Uint8Array): JsonWithShape | undefined => {
  const shape = measureJson(bytes);
  if (shape.depth > goMaxJsonDepth) return undefined;
  const strict = shape.isAscii ? (decodeAscii(bytes) ?? decodeUtf8(bytes)) : decodeUtf8(bytes);
  const text = strict ?? decodeUtf8Loosely(bytes);
  const value = parse(text);
  if (value === undefined) return undefined;
  const isRepaired = strict === undefined;
  if (!shape.hasSurrogateEscapes) return { value, shape, isRepaired };
  const wellFormed = replaceLoneSurrogates(text);
  if (wellFormed === text) return { value, shape, isRepaired };
  return { value: parse(wellFormed) ?? value, shape, isRepaired: true };
};

/** The own member of that name; a missing one is missing, even if called `constructor`. */
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

/** Commas seen in each open container, by depth. One run at a time: nothing here waits. */
const commas = new Int32Array(goMaxJsonDepth + 2);

const quote = 0x22;
const backslash = 0x5c;

/** 0 for what stands for itself in a text: no quote, no backslash, not a part of a longer character. */
const specialStringBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === quote || byte === backslash || byte >= 0x80 ? 1 : 0,
);

/** More digits than the longest integer that a double holds. */
const overflowDigits = 300;

/** Measures valid JSON; of anything else it says whatever it may, as nobody reads that. */
const measureJson = (bytes: Uint8Array): JsonShape => {
  let depth = 0;
  let deepest = 0;
  let outerMembers = 0;
  let allMembers = 0;
  let mostMembers = 0;
  let mostItems = 0;
  let mayOverflow = false;
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
        // `e`, `E`
        if (((bytes[at + 1] ?? 0) | 0x20) === 0x65 || at - start > overflowDigits) {
          mayOverflow = true;
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
    hasSurrogateEscapes,
    isAscii,
  };
};

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** A pair, a surrogate of its own, any other escape: in this order, from left to right. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./g;

/** In valid JSON: escapes of lone surrogates become U+FFFD, in names too, as the real decoder reads. */
const replaceLoneSurrogates = (text: string): string =>
  text.replace(escapes, (written) => (written.length === 6 ? '\\ufffd' : written));
