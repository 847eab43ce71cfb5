/**
 * The list of authenticators, cut into the lines of its items. An item of a block list is read the
 * same wherever it stands, so what was read of it, and all that follows from that, can be kept while
 * its lines stay the same.
 */
import type { SourceFile } from '../../source/source-file.ts';
import type { DataNode } from './data.ts';
import type { ConfigDocument, MappingNode, SequenceNode, YamlNode } from './document.ts';
import type { Shift } from './shift.ts';

/** One item as it was read. It is never changed: whoever keeps something about it keeps it by identity. */
export interface ListItem {
  /** The text that its places are in: the whole file, or the lines of the item alone. */
  readonly source: SourceFile;
  /** Where its lines start in that text, and the line's number there as the real loader counts. */
  readonly start: number;
  readonly line: number;
  readonly length: number;
  readonly node: YamlNode;
  readonly data: DataNode;
  /** How many nodes it is made of. */
  readonly nodes: number;
}

/** An item with its place in the file. */
export interface PlacedItem {
  readonly item: ListItem;
  readonly start: number;
  readonly line: number;
}

/** A document whose list is cut. */
export interface SplitDocument {
  readonly document: ConfigDocument;
  readonly root: MappingNode;
  readonly list: SequenceNode;
  /** Spaces before each dash. */
  readonly indent: number;
  readonly items: readonly PlacedItem[];
  /** Where the lines of the last item end: at the next key, or with the text. */
  readonly end: number;
  readonly listIsLast: boolean;
  /** How many nodes the whole document is made of. */
  readonly nodes: number;
}

/** From the text that the item was read in to the file. */
export const shiftOf = ({ item, start, line }: PlacedItem): Shift => ({
  offset: start - item.start,
  lines: line - item.line,
});

/** The text of the item's lines. */
const itemText = ({ source, start, length }: ListItem): string =>
  source.text.slice(start, start + length);

/** How the lines of a text end: in the first one, and in any. What fixes add to it depends on that. */
export const lineEndStyle = (text: string): string => {
  const first = text[text.indexOf('\n') - 1] === '\r' ? 'cr lf' : 'lf';
  return text.includes('\r\n') ? `${first}, some cr lf` : first;
};

/** The key whose list is cut. */
export const listKey = 'jwt';

/** Larger documents are always read whole: no limit of a document can be met below it. */
export const maxSplitNodes = 15_000;
const maxSplitDepth = 60;
const maxSplitItems = 64;

/**
 * `undefined` where the layout is unusual, where something is wrong with the form of the document, or
 * where parts of it refer to each other.
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

/** The same cut, with what is known of items whose text is the same. */
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

/** A byte order mark shifts columns against lines. */
const startsLine = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

/** Where the line of an item's dash starts, if nothing but the dash stands there before the item. */
const lineOfDash = (
  text: string,
  itemStart: number,
): { readonly start: number; readonly indent: number } | undefined => {
  const start = text.lastIndexOf('\n', itemStart - 1) + 1;
  const match = /^( *)- *$/.exec(text.slice(start, itemStart));
  return match === null ? undefined : { start, indent: match[1]?.length ?? 0 };
};

/** `undefined` where there are aliases, or more nodes or levels than are cut. */
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
