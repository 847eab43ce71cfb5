/**
 * Updates a document after an edit inside a single item of its list by reading only that item. The
 * reader's state before an item is known (in the top-level map, at the start of a line), so reading
 * the item's lines has the same result as reading the whole text, provided that the item ends where
 * it did before. All other edits are read as a whole.
 */
import { changedRange } from '../../source/changed-range.ts';
import { detachString } from '../../source/detach-string.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, shiftSpan, span } from '../../source/span.ts';
import { type ComposedItem, composeItem } from './compose-tree.ts';
import { type DataNode, mapData } from './data.ts';
import type { MappingNode, SequenceNode, YamlNode } from './document.ts';
import { documentLimits } from './limits.ts';
import {
  countNodes,
  type ListItem,
  lineEndStyle,
  listKey,
  maxSplitNodes,
  type PlacedItem,
  type SplitDocument,
  shiftOf,
} from './list-items.ts';
import { loadTree } from './load-tree.ts';
import { type Shift, shiftData, shiftDataEagerly, shiftNode, shiftNodeEagerly } from './shift.ts';
import { YamlError } from './text-cursor.ts';
import { TokenStream } from './token-stream.ts';

/** Returns the updated document; `undefined` if the whole text must be read. */
export const reparse = (previous: SplitDocument, source: SourceFile): SplitDocument | undefined => {
  const { text } = source;
  const old = previous.document.source.text;
  if (text.length > documentLimits.length || lineEndStyle(text) !== lineEndStyle(old))
    return undefined;
  const changed = changedRange(old, text);
  const index = previous.items.findIndex(
    ({ start, item }) => start <= changed.start && changed.oldEnd <= start + item.length,
  );
  const edited = previous.items[index];
  if (edited === undefined) return undefined;
  const growth = text.length - old.length;
  const lines = { start: edited.start, end: edited.start + edited.item.length + growth };
  const reread = readItem({ before: previous, index, source, lines });
  if (reread === undefined) return undefined;
  const nodes = previous.nodes - edited.item.nodes + reread.item.nodes;
  if (nodes > maxSplitNodes) return undefined;
  const shift: Shift = { offset: growth, lines: reread.lines - linesOf(previous, index) };
  const items = previous.items.map((placed, at): PlacedItem => {
    if (at < index) return placed;
    if (at === index) return { ...placed, item: reread.item };
    return {
      item: placed.item,
      start: placed.start + shift.offset,
      line: placed.line + shift.lines,
    };
  });
  return assemble({
    before: previous,
    source,
    items,
    nodes,
    shift,
    lines,
    comments: reread.comments,
  });
};

/**
 * Returns the number of lines in the item as the YAML loader counts, if another item or key
 * follows.
 */
const linesOf = (previous: SplitDocument, index: number): number => {
  const here = previous.items[index]?.line ?? 0;
  const nextLine = previous.items[index + 1]?.line ?? keyAfterList(previous)?.line;
  return nextLine === undefined ? 0 : nextLine - here;
};

const keyAfterList = ({ root, list }: SplitDocument): YamlNode | undefined => {
  const place = root.entries.findIndex(({ value }) => value === list);
  return root.entries[place + 1]?.key;
};

interface RereadItem {
  readonly item: ListItem;
  readonly comments: readonly Span[];
  readonly lines: number;
}

const readItem = ({
  before,
  index,
  source,
  lines: { start, end },
}: {
  readonly before: SplitDocument;
  readonly index: number;
  readonly source: SourceFile;
  readonly lines: Span;
}): RereadItem | undefined => {
  const { indent } = before;
  const isLastItem = index === before.items.length - 1;
  const piece = source.text.slice(start, end);
  if (piece.length > documentLimits.scalarLength || !startsWithDash(piece, indent))
    return undefined;
  // Fixes use the line endings of the text that they are made for: those of the item must match the
  // file's.
  if (lineEndStyle(piece) !== lineEndStyle(source.text)) return undefined;
  const expected = expectedNext(before, isLastItem);
  // The text after the item that the reader needs to detect the item's end.
  const following =
    expected === 'item'
      ? source.text.slice(end, end + indent + 1)
      : source.text.slice(end, lineEnd(source.text, end));
  const tokens = new TokenStream(detachString(piece + following), { inMap: true });
  const built = tryComposeItem(tokens);
  if (built === undefined || built.next.kind !== expected) return undefined;
  if (expected === 'item' && built.next.offset !== piece.length + indent) return undefined;
  if (expected === 'key' && built.next.offset !== piece.length) return undefined;
  const { node } = built;
  const nodes = countNodes(node);
  const loaded = loadTree(node);
  if (nodes === undefined || loaded.data === undefined) return undefined;
  if (loaded.failure !== undefined || loaded.duplicates.length > 0) return undefined;
  const itemSource = sourceFile(source.uri, detachString(piece));
  const place = { source: itemSource, start: 0, line: 0, length: piece.length };
  return {
    item: { ...place, node, data: loaded.data, nodes },
    comments: tokens.comments
      .filter((comment) => comment.start < piece.length)
      .map((comment) => shiftSpan(comment, start)),
    lines: built.next.line,
  };
};

const expectedNext = (
  previous: SplitDocument,
  isLastItem: boolean,
): ComposedItem['next']['kind'] => {
  if (!isLastItem) return 'item';
  return previous.listIsLast ? 'end' : 'key';
};

const tryComposeItem = (tokens: TokenStream): ComposedItem | undefined => {
  try {
    return composeItem(tokens);
  } catch (problem) {
    if (!(problem instanceof YamlError)) throw problem;
    return undefined;
  }
};

/** Returns true if the dash is unchanged, so that the item before it ends as it did. */
const startsWithDash = (piece: string, indent: number): boolean =>
  piece.startsWith(`${' '.repeat(indent)}-`) && /^(?:[ \n]|\r\n|$)/.test(piece.slice(indent + 1));

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
};

interface Edit {
  readonly before: SplitDocument;
  readonly source: SourceFile;
  readonly items: readonly PlacedItem[];
  readonly nodes: number;
  /** How far everything after the item has moved. */
  readonly shift: Shift;
  /** Position of the item's lines after the edit. */
  readonly lines: Span;
  readonly comments: readonly Span[];
}

const assemble = (edit: Edit): SplitDocument => {
  const { before, source, items, nodes, shift } = edit;
  const list = movedList(before.list, items);
  const root = movedRoot(before, list, shift);
  const data = movedData(before, { list, root, items, shift });
  const comments = movedComments(edit);
  return {
    ...before,
    document: { ...before.document, source, root, data, comments },
    root,
    list,
    items,
    end: before.end + shift.offset,
    nodes,
  };
};

const movedList = (before: SequenceNode, items: readonly PlacedItem[]): SequenceNode => {
  const nodes = items.map((placed) => shiftNode(placed.item.node, shiftOf(placed)));
  const end = nodes.at(-1)?.span.end ?? before.span.end;
  return { ...before, span: span(before.span.start, end), items: nodes };
};

const movedRoot = (before: SplitDocument, list: SequenceNode, by: Shift): MappingNode => {
  const place = before.root.entries.findIndex(({ value }) => value === before.list);
  const entries = before.root.entries.map(({ key, value }, at) => {
    if (at < place) return { key, value };
    if (at === place) return { key, value: list };
    return { key: shiftNodeEagerly(key, by), value: shiftNodeEagerly(value, by) };
  });
  const end = Math.max(...entries.map(({ key, value }) => Math.max(key.span.end, value.span.end)));
  return { ...before.root, span: span(before.root.span.start, end), entries };
};

const movedData = (
  before: SplitDocument,
  {
    list,
    root,
    items,
    shift,
  }: Pick<Edit, 'items' | 'shift'> & { readonly list: SequenceNode; readonly root: MappingNode },
): DataNode | undefined => {
  const { data } = before.document;
  if (data?.kind !== 'object') return data;
  const entries = data.entries.map(({ key, keySpan, value }) => {
    if (key === listKey) return { key, keySpan, value: listData(list, items) };
    if (keySpan.start < before.list.span.start) return { key, keySpan, value };
    return {
      key,
      keySpan: shiftSpan(keySpan, shift.offset),
      value: shiftDataEagerly(value, shift.offset),
    };
  });
  return mapData(root.span, entries);
};

const listData = ({ span: where }: SequenceNode, items: readonly PlacedItem[]): DataNode => ({
  kind: 'array',
  span: where,
  items: items.map((placed) => shiftData(placed.item.data, shiftOf(placed).offset)),
});

const movedComments = ({ before, lines, shift, comments }: Edit): readonly Span[] => {
  const old = before.document.comments;
  const oldEnd = lines.end - shift.offset;
  return [
    ...old.filter(({ start }) => start < lines.start),
    ...comments,
    ...old
      .filter(({ start }) => start >= oldEnd)
      .map((comment) => shiftSpan(comment, shift.offset)),
  ];
};
