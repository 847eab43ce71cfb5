/**
 * Parses the values of literals: int64 and uint64 ranges, doubles, escape sequences in strings and
 * bytes. Invalid literals get cel-go's error messages.
 */
import type { Constant } from '../tree/ast.ts';

export type LiteralResult =
  | { readonly ok: true; readonly constant: Constant }
  | { readonly ok: false; readonly message: string };

const minInt = -(1n << 63n);
const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;
const maxCodePoint = 0x10ffff;

const failure = (message: string): LiteralResult => ({ ok: false, message });
const success = (constant: Constant): LiteralResult => ({ ok: true, constant });

/**
 * Parses an int literal, `12` or `0x1F`. `negative` is true for a leading minus, which is part of
 * the literal: otherwise the minimum int could not be written.
 */
export const readInt = (image: string, negative: boolean): LiteralResult => {
  if (image.length < 16) {
    const small = Number(image);
    return success({ kind: 'int', value: BigInt(negative ? -small : small) });
  }
  const value = negative ? -BigInt(image) : BigInt(image);
  if (value < minInt || value > maxInt) return failure('invalid int literal');
  return success({ kind: 'int', value });
};

/** Parses a uint literal, `12u` or `0x1FU`. */
export const readUint = (image: string): LiteralResult => {
  const value = BigInt(image.slice(0, -1));
  return value > maxUint ? failure('invalid uint literal') : success({ kind: 'uint', value });
};

/** Parses a double literal, `1.5` or `.5e3`. A value outside the range of doubles is an error. */
export const readDouble = (image: string, negative: boolean): LiteralResult => {
  const value = Number(image);
  if (!Number.isFinite(value)) return failure('invalid double literal');
  return success({ kind: 'double', value: negative ? -value : value });
};

/** Parses a string literal with its quotes and prefix. */
export const readString = (image: string): LiteralResult => {
  const { content, raw } = unquote(image);
  if (raw || !content.includes('\\')) return success({ kind: 'string', value: content });
  let value = '';
  const message = readEscapes(content, false, (codePoint) => {
    value += String.fromCodePoint(codePoint);
  });
  return message === undefined ? success({ kind: 'string', value }) : failure(message);
};

/** Parses a bytes literal with its `b` prefix. */
export const readBytes = (image: string): LiteralResult => {
  const { content, raw } = unquote(image.slice(1));
  const encoder = new TextEncoder();
  if (raw || !content.includes('\\')) {
    return success({ kind: 'bytes', value: encoder.encode(content) });
  }
  const bytes: number[] = [];
  const message = readEscapes(content, true, (value, escaped) => {
    if (escaped) bytes.push(value & 0xff);
    else bytes.push(...encoder.encode(String.fromCodePoint(value)));
  });
  return message === undefined
    ? success({ kind: 'bytes', value: Uint8Array.from(bytes) })
    : failure(message);
};

/** Removes the `r` prefix and the quotes. Line endings become `\n`, in raw strings too. */
const unquote = (image: string): { readonly content: string; readonly raw: boolean } => {
  const raw = image.startsWith('r') || image.startsWith('R');
  let text = raw ? image.slice(1) : image;
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  const triple = text.length >= 6 && (text.startsWith('"""') || text.startsWith("'''"));
  return { content: triple ? text.slice(3, -3) : text.slice(1, -1), raw };
};

const simpleEscapes = new Map<string, number>([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
]);
const hexDigits = new Map<string, number>([
  ['x', 2],
  ['X', 2],
  ['u', 4],
  ['U', 8],
]);

/**
 * Calls `emit` for each character and returns the error message of the first invalid escape
 * sequence. The lexer has already checked their syntax.
 */
const readEscapes = (
  content: string,
  isBytes: boolean,
  emit: (value: number, escaped: boolean) => void,
): string | undefined => {
  let index = 0;
  while (index < content.length) {
    const codePoint = content.codePointAt(index) ?? 0;
    if (codePoint !== 92) {
      emit(codePoint, false);
      index += codePoint > 0xffff ? 2 : 1;
      continue;
    }
    const letter = content.charAt(index + 1);
    const simple = simpleEscapes.get(letter);
    if (simple !== undefined) {
      emit(simple, false);
      index += 2;
      continue;
    }
    const digits = hexDigits.get(letter);
    if (digits !== undefined && digits > 2 && isBytes) return 'unable to unescape string';
    const start = digits === undefined ? index + 1 : index + 2;
    const end = start + (digits ?? 3);
    const value = Number.parseInt(content.slice(start, end), digits === undefined ? 8 : 16);
    if (!isBytes && !isUnicodeScalar(value)) return 'invalid unicode code point';
    emit(value, true);
    index = end;
  }
  return undefined;
};

const isUnicodeScalar = (value: number): boolean =>
  value <= maxCodePoint && (value < 0xd800 || value > 0xdfff);
