/** JSON text -> data with places. Repeated members are kept; the last one counts. */
import { type JsonNode, parseJsonTree } from '../../formats/json-tree.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import type { Piece, PositionMap } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import { type DataNode, mapData } from './data.ts';

export type JsonDocument =
  | {
      readonly kind: 'data';
      readonly data: DataNode;
      readonly nodes: number;
      readonly deepest: number;
      readonly longestText: number;
    }
  /** `invalid character 'a' looking for beginning of object key string`, and where. */
  | { readonly kind: 'error'; readonly error: string; readonly offset: number };

/** Levels below which nothing is read any more: no field of ours lies deeper. */
const deepestRead = 1000;

export const loadJson = (text: string): JsonDocument => {
  const tree = parseJsonTree(encodeUtf8(text));
  if (tree.kind === 'error')
    return { kind: 'error', error: tree.error, offset: errorOffset(text, tree.error) };
  const size: Size = { nodes: 0, deepest: 0, longestText: 0 };
  const data = convert(tree.root, { text, offsetOf: offsets(text), size }, 0);
  return { kind: 'data', data, ...size };
};

const endOfInput = 'unexpected end of JSON input';

/** Longer texts are not searched for the place of their mistake. */
const longestSearched = 128 * 1024;

/** The length of the longest beginning which is not wrong for the same reason. */
const errorOffset = (text: string, error: string): number => {
  if (error === endOfInput) return text.length;
  if (text.length > longestSearched) return 0;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const beginning = parseJsonTree(encodeUtf8(text.slice(0, middle)));
    if (beginning.kind === 'tree' || beginning.error !== error) good = middle;
    else bad = middle;
  }
  return good;
};

interface Size {
  nodes: number;
  deepest: number;
  longestText: number;
}

interface Place {
  readonly text: string;
  /** Offset in bytes -> offset in UTF-16 units. */
  readonly offsetOf: (byte: number) => number;
  /** Counted on the way. */
  readonly size: Size;
}

const convert = (node: JsonNode, place: Place, depth: number): DataNode => {
  const where = span(place.offsetOf(node.start), place.offsetOf(node.end));
  const { size } = place;
  size.nodes += 1;
  size.deepest = Math.max(size.deepest, depth);
  if (node.kind === 'string') size.longestText = Math.max(size.longestText, node.text.length);
  if (depth > deepestRead) return { kind: 'null', span: where };
  switch (node.kind) {
    case 'null':
      return { kind: 'null', span: where };
    case 'bool':
      return { kind: 'bool', span: where, value: node.value };
    case 'number':
      return { kind: 'number', span: where, text: node.literal };
    case 'string':
      return { kind: 'string', span: where, text: node.text, map: textMap(place.text, where) };
    case 'array':
      return {
        kind: 'array',
        span: where,
        items: node.items.map((item) => convert(item, place, depth + 1)),
      };
    case 'object': {
      let from = where.start + 1;
      const set = node.members.map((member) => {
        const keySpan = quotedSpan(place.text, from);
        const value = convert(member.value, place, depth + 1);
        from = value.span.end;
        return { key: member.name, keySpan, value };
      });
      return mapData(where, set);
    }
  }
};

/** The next text in quotes. */
const quotedSpan = (text: string, from: number): Span => {
  const start = text.indexOf('"', from);
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return span(start, end + 1);
};

const escapeSequence = /\\(?:u[0-9a-fA-F]{4}|[^u])/g;

const textMap = (text: string, quoted: Span): PositionMap => {
  const raw = text.slice(quoted.start + 1, quoted.end - 1);
  const pieces: Piece[] = [];
  let decoded = 0;
  const push = (decodedLength: number, start: number, end: number): void => {
    if (end <= start) return;
    const file = quoted.start + 1 + start;
    pieces.push({ decoded, decodedLength, file, fileLength: end - start });
    decoded += decodedLength;
  };
  let done = 0;
  for (const match of raw.matchAll(escapeSequence)) {
    push(match.index - done, done, match.index);
    done = match.index + match[0].length;
    push(1, match.index, done);
  }
  push(raw.length - done, done, raw.length);
  const empty = { decoded: 0, decodedLength: 0, file: quoted.start + 1, fileLength: 0 };
  return { pieces: pieces.length === 0 ? [empty] : pieces };
};

const offsets = (text: string): ((byte: number) => number) => {
  if (/^[\u0000-\u007f]*$/.test(text)) return (byte) => byte;
  const table: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let unit = 0; unit < width; unit += 1) table.push(at);
    if (width === 4) at += 1;
  }
  table.push(text.length);
  return (byte) => table[byte] ?? text.length;
};
