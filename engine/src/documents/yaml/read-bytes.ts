/**
 * Decodes the bytes of a configuration file like kube-apiserver. YAML is UTF-8, or UTF-16 after a
 * byte order mark; anything else is rejected with its error. JSON is read with U+FFFD in place of
 * invalid bytes, which a lint reports.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { span } from '../../source/span.ts';
import { yamlSyntax } from './findings.ts';
import { readUtf16 } from './utf16.ts';

export type BytesReading =
  | { readonly kind: 'text'; readonly text: string }
  /** The text is only usable to show positions. */
  | { readonly kind: 'broken'; readonly text: string; readonly diagnostic: Diagnostic };

/** Decodes a file. A byte order mark is retained, because the loader counts it. */
export const readBytes = (bytes: Uint8Array): BytesReading => {
  const utf16 = readUtf16(bytes);
  if (utf16?.kind === 'text') return utf16;
  if (utf16 !== undefined) return brokenReading(utf16.text, utf16.offset, utf16.problem);
  try {
    return { kind: 'text', text: decode(bytes, true) };
  } catch {
    const text = decode(bytes, false);
    if (isJson(text)) return { kind: 'text', text: decodeUtf8Loosely(bytes) };
    const { problem, offset } = firstUtf8Error(bytes);
    return brokenReading(text, decode(bytes.subarray(0, offset), false).length, problem);
  }
};

/** Detects JSON like kube-apiserver; text with a byte order mark is YAML. */
const isJson = (text: string): boolean =>
  /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*\{/.test(text);

const brokenReading = (text: string, at: number, problem: string): BytesReading => ({
  kind: 'broken',
  text,
  diagnostic: diagnosticOf(yamlSyntax, span(at, at + 1), { problem: `yaml: ${problem}` }),
});

const decode = (bytes: Uint8Array, fatal: boolean): string =>
  new TextDecoder('utf-8', { ignoreBOM: true, fatal }).decode(bytes);

interface Utf8Error {
  readonly problem: string;
  /** Offset of the character's first byte. */
  readonly offset: number;
}

const firstUtf8Error = (bytes: Uint8Array): Utf8Error => {
  let offset = 0;
  while (offset < bytes.length) {
    const width = widthOf(bytes[offset] ?? 0);
    const problem = utf8ErrorOf(bytes.subarray(offset, offset + width), width);
    if (problem !== undefined) return { problem, offset };
    offset += width;
  }
  return { problem: 'incomplete UTF-8 octet sequence', offset: bytes.length };
};

/**
 * Returns the number of bytes of a character by its first one; zero if no character starts with it.
 */
const widthOf = (octet: number): number => {
  if (octet < 0x80) return 1;
  if (octet < 0xc0 || octet >= 0xf8) return 0;
  if (octet < 0xe0) return 2;
  return octet < 0xf0 ? 3 : 4;
};

/** Returns the error of a character; the checks are in the order of the loader. */
const utf8ErrorOf = (octets: Uint8Array, width: number): string | undefined => {
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (octets.length < width) return 'incomplete UTF-8 octet sequence';
  const [first = 0, ...trailing] = octets;
  if (trailing.some((octet) => (octet & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
  const leadBits = width === 1 ? first : first & (0x7f >> width);
  const value = trailing.reduce((sum, octet) => (sum << 6) | (octet & 0x3f), leadBits);
  if (value < (minCodePointByWidth[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return 'invalid Unicode character';
  return undefined;
};

const minCodePointByWidth = [0, 0, 0x80, 0x800, 0x10000] as const;
