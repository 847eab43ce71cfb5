/**
 * Finds the field of a table at a place in a file, for completion and hovers. Works on the lines, so
 * that an unfinished file has places, too; maps in braces have hovers only.
 */
import { pathOfSpan } from '../../documents/data-path.ts';
import { parseDocument } from '../../documents/yaml/parse.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { Row, RowType } from './row.ts';

/** What can be written at a place. */
export interface RowCompletion {
  readonly kind: 'fields' | 'values';
  /** The text that is replaced. */
  readonly span: Span;
  readonly items: readonly RowItem[];
}

export interface RowItem {
  readonly text: string;
  readonly doc: string;
}

/** Lines above a place that are searched for its parents. */
const maxLines = 20_000;

/** Returns the fields or values that can be written at an offset. */
export const completeRows = (
  { text }: SourceFile,
  offset: number,
  rows: readonly Row[],
): RowCompletion | undefined => {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  if (before.length > maxLineLength) return undefined;
  const field = /^((?:\s|- )*)([\w]*)$/.exec(before);
  if (field !== null) {
    const [, lead = '', typed = ''] = field;
    const parents = parentsOf(text, lineStart, lead.length);
    const type = typeAt({ kind: 'map', rows }, parents.path);
    const own = type && mapRows(type);
    if (own === undefined) return undefined;
    const items = own
      .filter(({ name }) => !parents.siblings.has(name))
      .map(({ name, doc }) => ({ text: name, doc }));
    return { kind: 'fields', span: span(offset - typed.length, offset), items };
  }
  const value = /^((?:\s|- )*)(\w+):[ \t]+["']?([\w.-]*)$/.exec(before);
  if (value === null) return undefined;
  const [, lead = '', name = '', typed = ''] = value;
  const { path } = parentsOf(text, lineStart, lead.length);
  const type = typeAt({ kind: 'map', rows }, [...path, name]);
  const items = type === undefined ? [] : valuesOf(type);
  return items.length === 0
    ? undefined
    : { kind: 'values', span: span(offset - typed.length, offset), items };
};

const maxLineLength = 1000;

/** Returns the field whose name or value is at an offset. */
export const hoverRow = (
  source: SourceFile,
  offset: number,
  rows: readonly Row[],
): Row | undefined => {
  const { data } = parseDocument(source, { limits: 'refuse', as: 'yaml' });
  const path = pathOfSpan(data, span(offset, offset));
  const names = path.split(/\[\d+\]\.?|\./).filter((name) => name !== '');
  for (let count = names.length; count > 0; count -= 1) {
    const parent = typeAt({ kind: 'map', rows }, names.slice(0, count - 1));
    const row = parent && mapRows(parent)?.find(({ name }) => name === names[count - 1]);
    if (row !== undefined) return row;
  }
  return undefined;
};

/** Returns the keys above a line that contain it, and the keys of its own map. */
const parentsOf = (
  text: string,
  lineStart: number,
  indent: number,
): { readonly path: readonly string[]; readonly siblings: ReadonlySet<string> } => {
  const path: string[] = [];
  const siblings = new Set<string>();
  let limit = indent;
  let isOwnMap = !/^\s*-/.test(text.slice(lineStart, lineStart + indent));
  let end = lineStart - 1;
  for (let count = 0; end >= 0 && count < maxLines && limit > 0; count += 1) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const match = /^((?:[ ]|- )*)([\w-]+):/.exec(text.slice(start, Math.min(end, start + 200)));
    end = start - 1;
    if (match === null) continue;
    const [, lead = '', name = ''] = match;
    const column = lead.length;
    if (column === indent && isOwnMap && path.length === 0) siblings.add(name);
    // The key before a list may have the same indentation as the dashes of its items.
    const dash = lead.indexOf('-');
    if (column < limit) {
      path.unshift(name);
      limit = column;
    }
    if (dash !== -1 && column <= limit) {
      isOwnMap = false;
      limit = Math.min(limit, dash + 1);
    }
  }
  for (const name of siblingsBelow(text, lineStart, indent)) siblings.add(name);
  return { path, siblings };
};

/** Returns the keys of the same map that follow a line. */
const siblingsBelow = (text: string, lineStart: number, indent: number): readonly string[] => {
  const names: string[] = [];
  let start = text.indexOf('\n', lineStart) + 1;
  for (let count = 0; start > 0 && count < maxLines; count += 1) {
    const line = text.slice(start, start + 200);
    const column = /^ */.exec(line)?.[0].length ?? 0;
    const isBlank = /^\s*(?:#|\n|$)/.test(line);
    if (!isBlank && (column < indent || line[column] === '-')) {
      if (column < indent) break;
    } else if (column === indent) {
      const name = /^ *([\w-]+):/.exec(line)?.[1];
      if (name !== undefined) names.push(name);
    }
    start = text.indexOf('\n', start) + 1;
  }
  return names;
};

/** Returns the type below a path of names; items of lists have no name of their own. */
const typeAt = (type: RowType, path: readonly string[]): RowType | undefined => {
  const [name, ...rest] = path;
  if (name === undefined) return type;
  for (const map of mapsIn(type)) {
    const inner =
      map.kind === 'names' ? map.value : map.rows.find((row) => row.name === name)?.type;
    if (inner !== undefined) return typeAt(inner, rest);
  }
  return undefined;
};

type MapType = Extract<RowType, { kind: 'map' | 'names' }>;

/** Returns the maps that a value of the type may be or contain. */
const mapsIn = (type: RowType): readonly MapType[] => {
  if (type.kind === 'map' || type.kind === 'names') return [type];
  if (type.kind === 'list') return mapsIn(type.item);
  return type.kind === 'either' ? type.types.flatMap(mapsIn) : [];
};

const mapRows = (type: RowType): readonly Row[] | undefined => {
  const rows = mapsIn(type).flatMap((map) => (map.kind === 'map' ? map.rows : []));
  return rows.length === 0 ? undefined : rows;
};

const valuesOf = (type: RowType): readonly RowItem[] => {
  switch (type.kind) {
    case 'choice':
      return type.values.map((text) => ({ text, doc: '' }));
    case 'string':
      return (type.suggestions ?? []).map((text) => ({ text, doc: '' }));
    case 'bool':
      return ['true', 'false'].map((text) => ({ text, doc: '' }));
    case 'either':
      return type.types.flatMap(valuesOf);
    default:
      return [];
  }
};
