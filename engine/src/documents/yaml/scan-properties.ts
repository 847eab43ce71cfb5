/** Scans what may precede a node or a document: anchors, tags, directives. */

import type { Span } from '../../source/span.ts';
import { scanLineEnd } from './scan-block.ts';
import {
  isBlank,
  isBlankOrEnd,
  isDigit,
  isWordCharacter,
  type Mark,
  type TextCursor,
} from './text-cursor.ts';
import { makeToken, type Token } from './token.ts';
import { scannerError } from './yaml-errors.ts';

/** Scans `&name` or `*name`. */
export const scanAnchor = (cursor: TextCursor): Token => {
  const kind = cursor.code() === 0x2a ? 'alias' : 'anchor';
  const start = cursor.mark();
  cursor.skip();
  const name = scanWord(cursor);
  if (name === '' || !(isBlankOrEnd(cursor.code()) || afterAnchor.has(cursor.code())))
    throw scannerError(cursor, start, 'did not find expected alphabetic or numeric character');
  return makeToken(kind, start, cursor, { text: name });
};

/** The characters `?` `:` `,` `]` `}` `%` `@` and the backtick. */
const afterAnchor: ReadonlySet<number> = new Set([0x3f, 0x3a, 0x2c, 0x5d, 0x7d, 0x25, 0x40, 0x60]);

/** Scans `!suffix`, `!handle!suffix`, `!<uri>` or a single `!`. */
export const scanTag = (cursor: TextCursor): Token => {
  const start = cursor.mark();
  const name =
    cursor.code(1) === 0x3c ? scanVerbatimTag(cursor, start) : scanShortTag(cursor, start);
  if (!isBlankOrEnd(cursor.code()))
    throw scannerError(cursor, start, 'did not find expected whitespace or line break');
  return makeToken('tag', start, cursor, { text: name.handle, suffix: name.suffix });
};

interface TagName {
  readonly handle: string;
  readonly suffix: string;
}

const scanVerbatimTag = (cursor: TextCursor, start: Mark): TagName => {
  cursor.skipBy(2);
  const suffix = scanUri(cursor, start, '');
  if (cursor.code() !== 0x3e) throw scannerError(cursor, start, "did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
};

const scanShortTag = (cursor: TextCursor, start: Mark): TagName => {
  const handle = scanHandle(cursor, start);
  if (handle.length > 1 && handle.endsWith('!'))
    return { handle, suffix: scanUri(cursor, start, '') };
  const suffix = scanUri(cursor, start, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
};

/** Scans `!`, `!!` or `!word!`; a `!word` without a second `!` is the start of a suffix. */
const scanHandle = (cursor: TextCursor, start: Mark): string => {
  if (cursor.code() !== 0x21) throw scannerError(cursor, start, "did not find expected '!'");
  cursor.skip();
  const word = scanWord(cursor);
  if (cursor.code() !== 0x21) return `!${word}`;
  cursor.skip();
  return `!${word}!`;
};

const uriPunctuation: ReadonlySet<number> = new Set(
  Array.from(";/?:@&=+$,.!~*'()[]%", (letter) => letter.charCodeAt(0)),
);

/** Scans a tag URI. `head` was scanned as a handle, but is the start of the URI. */
const scanUri = (cursor: TextCursor, start: Mark, head: string): string => {
  let uri = head.slice(1);
  const from = cursor.offset;
  while (isWordCharacter(cursor.code()) || uriPunctuation.has(cursor.code())) {
    if (cursor.code() === 0x25) uri += scanUriEscape(cursor, start);
    else {
      uri += String.fromCharCode(cursor.code());
      cursor.skip();
    }
  }
  if (head === '' && cursor.offset === from)
    throw scannerError(cursor, start, 'did not find expected tag URI');
  return uri;
};

/** Scans the octets of a character, such as `%C3%A9`. */
const scanUriEscape = (cursor: TextCursor, start: Mark): string => {
  const octets: number[] = [];
  let width = 1;
  while (octets.length < width) {
    const digits = String.fromCharCode(cursor.code(1), cursor.code(2));
    if (cursor.code() !== 0x25 || !/^[0-9a-fA-F]{2}$/.test(digits))
      throw scannerError(cursor, start, 'did not find URI escaped octet');
    const octet = Number.parseInt(digits, 16);
    if (octets.length === 0) {
      width = utf8Length(octet);
      if (width === 0) throw scannerError(cursor, start, 'found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80)
      throw scannerError(cursor, start, 'found an incorrect trailing UTF-8 octet');
    octets.push(octet);
    cursor.skipBy(3);
  }
  return new TextDecoder().decode(new Uint8Array(octets));
};

const utf8Length = (octet: number): number => {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
};

/** Scans a `%YAML` or `%TAG` line with its comment. */
export const scanDirective = (cursor: TextCursor, onComment: (span: Span) => void): Token => {
  const start = cursor.mark();
  cursor.skip();
  const name = scanWord(cursor);
  if (name === '') throw scannerError(cursor, start, 'could not find expected directive name');
  if (!isBlankOrEnd(cursor.code()))
    throw scannerError(cursor, start, 'found unexpected non-alphabetical character');
  const directive = scanDirectiveValue(cursor, start, name);
  scanLineEnd(cursor, start, onComment);
  return directive;
};

const scanDirectiveValue = (cursor: TextCursor, start: Mark, name: string): Token => {
  if (name === 'YAML') {
    cursor.skipBlanks();
    const major = scanVersionNumber(cursor, start);
    if (cursor.code() !== 0x2e)
      throw scannerError(cursor, start, "did not find expected digit or '.' character");
    cursor.skip();
    const minor = scanVersionNumber(cursor, start);
    return makeToken('version-directive', start, cursor, { text: `${major}.${minor}` });
  }
  if (name !== 'TAG') throw scannerError(cursor, start, 'found unknown directive name');
  cursor.skipBlanks();
  const handle = scanHandle(cursor, start);
  if (handle !== '!' && !handle.endsWith('!'))
    throw scannerError(cursor, start, "did not find expected '!'");
  if (!isBlank(cursor.code()))
    throw scannerError(cursor, start, 'did not find expected whitespace');
  cursor.skipBlanks();
  const prefix = scanUri(cursor, start, '');
  if (!isBlankOrEnd(cursor.code()))
    throw scannerError(cursor, start, 'did not find expected whitespace or line break');
  return makeToken('tag-directive', start, cursor, { text: handle, suffix: prefix });
};

const scanVersionNumber = (cursor: TextCursor, start: Mark): number => {
  let digits = '';
  while (isDigit(cursor.code())) {
    if (digits.length === 2)
      throw scannerError(cursor, start, 'found extremely long version number');
    digits += String.fromCharCode(cursor.code());
    cursor.skip();
  }
  if (digits === '') throw scannerError(cursor, start, 'did not find expected version number');
  return Number(digits);
};

const scanWord = (cursor: TextCursor): string => {
  const from = cursor.offset;
  while (isWordCharacter(cursor.code())) cursor.skip();
  return cursor.text.slice(from, cursor.offset);
};
