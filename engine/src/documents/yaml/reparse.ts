/**
 * A document after an edit inside one item of its list: the item alone is read anew. The reader's
 * state before an item is known (in the document's own map, at the start of a line), so reading its
 * lines gives what reading the whole would give, provided that it ends where the next part began
 * before; whatever else an edit does is left to the whole reading.
 */
import { changedRange } from '../../source/changed-range.ts';
import { ownText } from '../../source/detach-string.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, shiftSpan, span } from '../../source/span.ts';
import { type BuiltItem, buildItem } from './build-tree.ts';
import { type DataNode, mapData } from './data.ts';
import type { MappingNode, SequenceNode, YamlNode } from './document.ts';
import { documentLimits } from './limits.ts';
import {
  type CutDocument,
  countNodes,
  type ListItem,
  lineEnds,
  listKey,
  mostCutNodes,
  type PlacedItem,
  shiftOf,
} from './list-items.ts';
import { loadTree } from './load-tree.ts';
import { type Shift, shiftData, shiftNode, shiftWhole, shiftWholeData } from './shift.ts';
import { YamlProblem } from './text-cursor.ts';
import { TokenStream } from './token-stream.ts';

/** `undefined` where the whole text has to be read. */
export const reparse = (before: CutDocument, source: SourceFile): CutDocument | undefined => {
  const { text } = source;
  const old = before.document.source.text;
  if (text.length > documentLimits.length || lineEnds(text) !== lineEnds(old)) return undefined;
  const changed = changedRange(old, text);
  const index = before.items.findIndex(
    ({ start, item }) => start <= changed.start && changed.oldEnd <= start + item.length,
  );
  const touched = before.items[index];
  if (touched === undefined) return undefined;
  const grown = text.length - old.length;
  const lines = { start: touched.start, end: touched.start + touched.item.length + grown };
  const read = readItem({ before, index, source, lines });
  if (read === undefined) return undefined;
  const nodes = before.nodes - touched.item.nodes + read.item.nodes;
  if (nodes > mostCutNodes) return undefined;
  const by: Shift = { offset: grown, lines: read.lines - linesOf(before, index) };
  const items = before.items.map((placed, at): PlacedItem => {
    if (at < index) return placed;
    if (at === index) return { ...placed, item: read.item };
    return { item: placed.item, start: placed.start + by.offset, line: placed.line + by.lines };
  });
  return assemble({ before, source, items, nodes, by, lines, comments: read.comments });
};

/** Lines of the real loader's counting in the item, known where another item or key follows. */
const linesOf = (before: CutDocument, index: number): number => {
  const here = before.items[index]?.line ?? 0;
  const behind = before.items[index + 1]?.line ?? keyBehind(before)?.line;
  return behind === undefined ? 0 : behind - here;
};

const keyBehind = ({ root, list }: CutDocument): YamlNode | undefined => {
  const place = root.entries.findIndex(({ value }) => value === list);
  return root.entries[place + 1]?.key;
};

interface ReadItem {
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
  readonly before: CutDocument;
  readonly index: number;
  readonly source: SourceFile;
  readonly lines: Span;
}): ReadItem | undefined => {
  const { indent } = before;
  const isLastItem = index === before.items.length - 1;
  const piece = source.text.slice(start, end);
  if (piece.length > documentLimits.scalarLength || !startsWithDash(piece, indent))
    return undefined;
  // What a fix adds ends its lines as the text does that it is made for: an item must look like its file.
  if (lineEnds(piece) !== lineEnds(source.text)) return undefined;
  const expected = expectedBehind(before, isLastItem);
  // As much of what follows as the reader looks at to see that the item is over.
  const behind =
    expected === 'item'
      ? source.text.slice(end, end + indent + 1)
      : source.text.slice(end, lineEnd(source.text, end));
  const tokens = new TokenStream(ownText(piece + behind), { inMap: true });
  const built = builtItem(tokens);
  if (built === undefined || built.next.kind !== expected) return undefined;
  if (expected === 'item' && built.next.offset !== piece.length + indent) return undefined;
  if (expected === 'key' && built.next.offset !== piece.length) return undefined;
  const { node } = built;
  const nodes = countNodes(node);
  const loaded = loadTree(node);
  if (nodes === undefined || loaded.data === undefined) return undefined;
  if (loaded.failure !== undefined || loaded.duplicates.length > 0) return undefined;
  const own = sourceFile(source.uri, ownText(piece));
  const place = { source: own, start: 0, line: 0, length: piece.length };
  return {
    item: { ...place, node, data: loaded.data, nodes },
    comments: tokens.comments
      .filter((comment) => comment.start < piece.length)
      .map((comment) => shiftSpan(comment, start)),
    lines: built.next.line,
  };
};

const expectedBehind = (before: CutDocument, isLastItem: boolean): BuiltItem['next']['kind'] => {
  if (!isLastItem) return 'item';
  return before.isLast ? 'end' : 'key';
};

const builtItem = (tokens: TokenStream): BuiltItem | undefined => {
  try {
    return buildItem(tokens);
  } catch (problem) {
    if (!(problem instanceof YamlProblem)) throw problem;
    return undefined;
  }
};

/** The same dash as before: then what stands before the item ends as it did. */
const startsWithDash = (piece: string, indent: number): boolean =>
  piece.startsWith(`${' '.repeat(indent)}-`) && /^(?:[ \n]|\r\n|$)/.test(piece.slice(indent + 1));

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
};

interface Edit {
  readonly before: CutDocument;
  readonly source: SourceFile;
  readonly items: readonly PlacedItem[];
  readonly nodes: number;
  /** How far everything behind the item has moved. */
  readonly by: Shift;
  /** The item's lines after the edit, and the comments in them. */
  readonly lines: Span;
  readonly comments: readonly Span[];
}

const assemble = (edit: Edit): CutDocument => {
  const { before, source, items, nodes, by } = edit;
  const list = listOf(before.list, items);
  const root = rootOf(before, list, by);
  const data = dataOf(before, { list, root, items, by });
  const comments = commentsOf(edit);
  return {
    ...before,
    document: { ...before.document, source, root, data, comments },
    root,
    list,
    items,
    end: before.end + by.offset,
    nodes,
  };
};

const listOf = (before: SequenceNode, items: readonly PlacedItem[]): SequenceNode => {
  const nodes = items.map((placed) => shiftNode(placed.item.node, shiftOf(placed)));
  const end = nodes.at(-1)?.span.end ?? before.span.end;
  return { ...before, span: span(before.span.start, end), items: nodes };
};

const rootOf = (before: CutDocument, list: SequenceNode, by: Shift): MappingNode => {
  const place = before.root.entries.findIndex(({ value }) => value === before.list);
  const entries = before.root.entries.map(({ key, value }, at) => {
    if (at < place) return { key, value };
    if (at === place) return { key, value: list };
    return { key: shiftWhole(key, by), value: shiftWhole(value, by) };
  });
  const end = Math.max(...entries.map(({ key, value }) => Math.max(key.span.end, value.span.end)));
  return { ...before.root, span: span(before.root.span.start, end), entries };
};

const dataOf = (
  before: CutDocument,
  {
    list,
    root,
    items,
    by,
  }: Pick<Edit, 'items' | 'by'> & { readonly list: SequenceNode; readonly root: MappingNode },
): DataNode | undefined => {
  const { data } = before.document;
  if (data?.kind !== 'object') return data;
  const entries = data.entries.map(({ key, keySpan, value }) => {
    if (key === listKey) return { key, keySpan, value: listData(list, items) };
    if (keySpan.start < before.list.span.start) return { key, keySpan, value };
    return { key, keySpan: shiftSpan(keySpan, by.offset), value: shiftWholeData(value, by.offset) };
  });
  return mapData(root.span, entries);
};

const listData = ({ span: where }: SequenceNode, items: readonly PlacedItem[]): DataNode => ({
  kind: 'array',
  span: where,
  items: items.map((placed) => shiftData(placed.item.data, shiftOf(placed).offset)),
});

const commentsOf = ({ before, lines, by, comments }: Edit): readonly Span[] => {
  const old = before.document.comments;
  const oldEnd = lines.end - by.offset;
  return [
    ...old.filter(({ start }) => start < lines.start),
    ...comments,
    ...old.filter(({ start }) => start >= oldEnd).map((comment) => shiftSpan(comment, by.offset)),
  ];
};
