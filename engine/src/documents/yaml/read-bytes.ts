/**
 * Bytes -> text, the one door for configuration files, as the real loader reads them: YAML is UTF-8, or
 * UTF-16 behind a byte order mark, and anything else is refused in its words; JSON is read whatever its
 * bytes are, with U+FFFD in the place of bad ones, of which a lint tells.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { span } from '../../source/span.ts';
import { yamlSyntax } from './findings.ts';
import { readUtf16 } from './utf16.ts';

export type BytesReading =
  | { readonly kind: 'text'; readonly text: string }
  /** The text is good for showing places, and for nothing else. */
  | { readonly kind: 'broken'; readonly text: string; readonly diagnostic: Diagnostic };

/** A byte order mark stays: the real loader counts it. */
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

/** As the real loader tells the two apart; behind a byte order mark it reads YAML. */
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
  /** Of the first byte of the character. */
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

/** Bytes of a character by its first one; zero when none starts so. */
const widthOf = (octet: number): number => {
  if (octet < 0x80) return 1;
  if (octet < 0xc0 || octet >= 0xf8) return 0;
  if (octet < 0xe0) return 2;
  return octet < 0xf0 ? 3 : 4;
};

/** In the order in which the real loader looks. */
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
