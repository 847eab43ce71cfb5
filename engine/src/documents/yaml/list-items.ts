/**
 * Splits the list of authenticators into its items. An item of a block list is read the same
 * wherever it is, so its data and everything derived from it can be cached as long as its lines
 * stay the same.
 */
import type { SourceFile } from '../../source/source-file.ts';
import type { DataNode } from './data.ts';
import type { ConfigDocument, MappingNode, SequenceNode, YamlNode } from './document.ts';
import type { Shift } from './shift.ts';

/** An item as it was read. It is immutable, so that caches can use it as their key. */
export interface ListItem {
  /** The text that the positions of the item refer to: the whole file, or only the item's lines. */
  readonly source: SourceFile;
  /**
   * The start of the item's lines in that text, and the number of the first line as the YAML loader
   * counts.
   */
  readonly start: number;
  readonly line: number;
  readonly length: number;
  readonly node: YamlNode;
  readonly data: DataNode;
  /** Number of nodes in the item. */
  readonly nodes: number;
}

/** An item with its position in the file. */
export interface PlacedItem {
  readonly item: ListItem;
  readonly start: number;
  readonly line: number;
}

/** A document whose list of authenticators is split into items. */
export interface SplitDocument {
  readonly document: ConfigDocument;
  readonly root: MappingNode;
  readonly list: SequenceNode;
  /** Number of spaces before each dash. */
  readonly indent: number;
  readonly items: readonly PlacedItem[];
  /** The end of the last item's lines: the next key, or the end of the text. */
  readonly end: number;
  readonly listIsLast: boolean;
  /** Number of nodes in the whole document. */
  readonly nodes: number;
}

/** Returns the shift from the text in which the item was read to the file. */
export const shiftOf = ({ item, start, line }: PlacedItem): Shift => ({
  offset: start - item.start,
  lines: line - item.line,
});

/** Returns the lines of the item. */
const itemText = ({ source, start, length }: ListItem): string =>
  source.text.slice(start, start + length);

/**
 * Returns how the lines of a text end: the first one, and whether any ends with CR LF. Fixes depend
 * on it.
 */
export const lineEndStyle = (text: string): string => {
  const first = text[text.indexOf('\n') - 1] === '\r' ? 'cr lf' : 'lf';
  return text.includes('\r\n') ? `${first}, some cr lf` : first;
};

/** The key of the list. */
export const listKey = 'jwt';

/** Larger documents are always read as a whole, so that a split document never exceeds a limit. */
export const maxSplitNodes = 15_000;
const maxSplitDepth = 60;
const maxSplitItems = 64;

/**
 * Splits a document. Returns `undefined` if its layout is unusual, if it has a syntax error, or if
 * parts of it refer to each other.
 */
export const splitDocument = (document: ConfigDocument): SplitDocument | undefined => {
  const { root, data, source } = document;
  if (document.format !== 'yaml' || document.failure !== undefined) return undefined;
  if (document.diagnostics.length > 0 || document.strictErrors.length > 0) return undefined;
  if (root?.kind !== 'mapping' || root.flow || data?.kind !== 'object') return undefined;
  if (hasDirectives(source.text, root.span.start) || !startsLine(source.text, root.span.start))
    return undefined;
  const place = root.entries.findIndex(({ key }) => key.kind === 'scalar' && key.text === listKey);
  const list = root.entries[place]?.value;
  const items = data.byKey.get(listKey)?.value;
  if (list?.kind !== 'sequence' || list.flow || list.tag !== '' || items?.kind !== 'array')
    return undefined;
  if (list.items.length === 0 || list.items.length > maxSplitItems) return undefined;
  const nodes = countNodes(root);
  if (nodes === undefined) return undefined;
  const following = root.entries[place + 1];
  const end = following?.key.span.start ?? source.text.length;
  if (following !== undefined && !startsLine(source.text, end)) return undefined;
  const starts = list.items.map((item) => lineOfDash(source.text, item.span.start));
  const indent = starts[0]?.indent;
  if (indent === undefined || starts.some((start) => start?.indent !== indent)) return undefined;
  const bounds = starts.map((start) => start?.start ?? 0);
  return {
    document,
    root,
    list,
    indent,
    items: list.items.flatMap((node, index) => {
      const start = bounds[index] ?? 0;
      const itemData = items.items[index];
      const count = countNodes(node);
      if (itemData === undefined || count === undefined) return [];
      const length = (bounds[index + 1] ?? end) - start;
      const item = { source, start, line: node.line, length, node, data: itemData, nodes: count };
      return [{ item, start, line: node.line }];
    }),
    end,
    listIsLast: following === undefined,
    nodes,
  };
};

/** Replaces the items of a split document by previous ones with the same text. */
export const reuseItems = (
  split: SplitDocument,
  previous: SplitDocument | undefined,
): SplitDocument => {
  if (previous === undefined || previous.indent !== split.indent) return split;
  const endsOf = ({ document }: SplitDocument): string => lineEndStyle(document.source.text);
  if (endsOf(previous) !== endsOf(split)) return split;
  const byText = new Map(previous.items.map(({ item }) => [itemText(item), item]));
  return {
    ...split,
    items: split.items.map((placed) => {
      const item = byText.get(itemText(placed.item));
      return item === undefined ? placed : { ...placed, item };
    }),
  };
};

const hasDirectives = (text: string, before: number): boolean => /^%/m.test(text.slice(0, before));

/** A byte order mark would shift columns. */
const startsLine = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

/** Returns the start and indentation of a dash's line, if nothing else precedes the item. */
const lineOfDash = (
  text: string,
  itemStart: number,
): { readonly start: number; readonly indent: number } | undefined => {
  const start = text.lastIndexOf('\n', itemStart - 1) + 1;
  const match = /^( *)- *$/.exec(text.slice(start, itemStart));
  return match === null ? undefined : { start, indent: match[1]?.length ?? 0 };
};

/** Returns `undefined` for a tree with aliases, or with more nodes or levels than can be split. */
export const countNodes = (root: YamlNode): number | undefined => {
  let count = 0;
  const pending: { readonly node: YamlNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    const depth = next.depth + 1;
    count += 1;
    if (node.kind === 'alias' || depth > maxSplitDepth) return undefined;
    if (count + pending.length + childCount(node) > maxSplitNodes) return undefined;
    if (node.kind === 'sequence')
      for (const item of node.items) pending.push({ node: item, depth });
    else if (node.kind === 'mapping')
      for (const { key, value } of node.entries)
        pending.push({ node: key, depth }, { node: value, depth });
  }
  return count;
};

const childCount = (node: YamlNode): number => {
  if (node.kind === 'sequence') return node.items.length;
  return node.kind === 'mapping' ? 2 * node.entries.length : 0;
};
