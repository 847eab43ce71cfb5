/** Converts JSON text to data with positions. Duplicate members are retained; the last one wins. */
import { type JsonNode, parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import type { PositionMap } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import { type DataNode, mapData } from './data.ts';
import { ScalarBuilder } from './scalar-builder.ts';

export type JsonDocument =
  | {
      readonly kind: 'data';
      readonly data: DataNode;
      readonly nodes: number;
      readonly maxDepth: number;
      readonly maxStringLength: number;
    }
  /**
   * A message such as `invalid character 'a' looking for beginning of object key string`, and its
   * position.
   */
  | { readonly kind: 'error'; readonly error: string; readonly offset: number };

/** Values below this level are read as null; no field of the configuration is nested as deeply. */
const maxReadDepth = 1000;

export const loadJson = (text: string): JsonDocument => {
  const tree = parseJsonWithPositions(encodeUtf8(text));
  if (tree.kind === 'error')
    return { kind: 'error', error: tree.error, offset: errorOffset(text, tree.error) };
  const size: Size = { nodes: 0, maxDepth: 0, maxStringLength: 0 };
  const data = convert(tree.root, { text, offsetOf: byteOffsetReader(text), size }, 0);
  return { kind: 'data', data, ...size };
};

const endOfInput = 'unexpected end of JSON input';

/** The position of an error is not searched in longer texts. */
const maxSearchedLength = 128 * 1024;

/** Returns the length of the longest prefix that does not have the same error. */
const errorOffset = (text: string, error: string): number => {
  if (error === endOfInput) return text.length;
  if (text.length > maxSearchedLength) return 0;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const beginning = parseJsonWithPositions(encodeUtf8(text.slice(0, middle)));
    if (beginning.kind === 'tree' || beginning.error !== error) good = middle;
    else bad = middle;
  }
  return good;
};

interface Size {
  nodes: number;
  maxDepth: number;
  maxStringLength: number;
}

interface ConversionContext {
  readonly text: string;
  /** Converts an offset in bytes to an offset in UTF-16 units. */
  readonly offsetOf: (byte: number) => number;
  /** Measured during the conversion. */
  readonly size: Size;
}

const convert = (node: JsonNode, context: ConversionContext, depth: number): DataNode => {
  const target = span(context.offsetOf(node.start), context.offsetOf(node.end));
  const { size } = context;
  size.nodes += 1;
  size.maxDepth = Math.max(size.maxDepth, depth);
  if (node.kind === 'string')
    size.maxStringLength = Math.max(size.maxStringLength, node.text.length);
  if (depth > maxReadDepth) return { kind: 'null', span: target };
  switch (node.kind) {
    case 'null':
      return { kind: 'null', span: target };
    case 'bool':
      return { kind: 'bool', span: target, value: node.value };
    case 'number':
      return { kind: 'number', span: target, text: node.literal };
    case 'string':
      return { kind: 'string', span: target, text: node.text, map: textMap(context.text, target) };
    case 'array':
      return {
        kind: 'array',
        span: target,
        items: node.items.map((item) => convert(item, context, depth + 1)),
      };
    case 'object': {
      let from = target.start + 1;
      const entries = node.members.map((member) => {
        const keySpan = quotedSpan(context.text, from);
        const value = convert(member.value, context, depth + 1);
        from = value.span.end;
        return { key: member.name, keySpan, value };
      });
      return mapData(target, entries);
    }
  }
};

/** Returns the position of the next quoted string. */
const quotedSpan = (text: string, from: number): Span => {
  const start = text.indexOf('"', from);
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return span(start, end + 1);
};

const escapeSequence = /\\(?:u[0-9a-fA-F]{4}|[^u])/g;

const textMap = (text: string, quoted: Span): PositionMap => {
  const contentStart = quoted.start + 1;
  const contentEnd = quoted.end - 1;
  const builder = new ScalarBuilder(text);
  let copied = contentStart;
  for (const match of text.slice(contentStart, contentEnd).matchAll(escapeSequence)) {
    const start = contentStart + match.index;
    builder.copy(copied, start);
    copied = start + match[0].length;
    // Only the length of the decoded unit counts for the map.
    builder.replace('?', start, copied);
  }
  builder.copy(copied, contentEnd);
  return builder.map(contentStart);
};

const byteOffsetReader = (text: string): ((byte: number) => number) => {
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
