/**
 * What was read at one place, seen at another: a part of a file that did not change moves when lines
 * before it come or go. Only what is asked for is made anew; nothing is moved twice.
 */
import { shiftMap } from '../../source/position-map.ts';
import { shiftSpan } from '../../source/span.ts';
import type { DataEntry, DataNode, MapData } from './data.ts';
import type { MappingNode, YamlNode } from './document.ts';

export interface Shift {
  /** UTF-16 units. */
  readonly offset: number;
  readonly lines: number;
}

/** A tree without aliases at another place. The parts of a map are moved when they are asked for. */
export const shiftNode = (node: YamlNode, by: Shift): YamlNode => {
  if (by.offset === 0 && by.lines === 0) return node;
  return node.kind === 'mapping' ? lazyMapping(node, by) : shiftWhole(node, by);
};

/** The same, all at once: of what is moved again and again no chain must be left. */
export const shiftWhole = (node: YamlNode, by: Shift): YamlNode => {
  const span = shiftSpan(node.span, by.offset);
  const line = node.line + by.lines;
  switch (node.kind) {
    case 'scalar':
      return { ...node, span, line, map: shiftMap(node.map, by.offset) };
    case 'sequence':
      return { ...node, span, line, items: node.items.map((item) => shiftWhole(item, by)) };
    case 'mapping':
      return { ...node, span, line, entries: entriesOf(node, by) };
    case 'alias':
      throw new Error('unreachable: a tree with aliases is not moved');
  }
};

const entriesOf = (node: MappingNode, by: Shift): MappingNode['entries'] =>
  node.entries.map(({ key, value }) => ({
    key: shiftWhole(key, by),
    value: shiftWhole(value, by),
  }));

const lazyMapping = (node: MappingNode, by: Shift): MappingNode => {
  let made: MappingNode['entries'] | undefined;
  return {
    kind: 'mapping',
    span: shiftSpan(node.span, by.offset),
    line: node.line + by.lines,
    tag: node.tag,
    flow: node.flow,
    get entries() {
      made ??= entriesOf(node, by);
      return made;
    },
  };
};

/** The same for what the tree means. */
export const shiftData = (data: DataNode, offset: number): DataNode => {
  if (offset === 0) return data;
  return data.kind === 'object' ? lazyMap(data, offset) : shiftWholeData(data, offset);
};

/** The same, all at once. */
export const shiftWholeData = (data: DataNode, offset: number): DataNode => {
  const span = shiftSpan(data.span, offset);
  switch (data.kind) {
    case 'string':
      return { ...data, span, map: shiftMap(data.map, offset) };
    case 'array':
      return { ...data, span, items: data.items.map((item) => shiftWholeData(item, offset)) };
    case 'object':
      return { kind: 'object', span, ...membersOf(data, offset) };
    default:
      return { ...data, span };
  }
};

const membersOf = (data: MapData, offset: number): Pick<MapData, 'entries' | 'byKey'> => {
  const moved = new Map<DataEntry, DataEntry>();
  const entries = data.entries.map((entry): DataEntry => {
    const { key, keySpan, value, replaces } = entry;
    const made: DataEntry = {
      key,
      keySpan: shiftSpan(keySpan, offset),
      value: shiftWholeData(value, offset),
      replaces: replaces === undefined ? undefined : moved.get(replaces),
    };
    moved.set(entry, made);
    return made;
  });
  const byKey = new Map<string, DataEntry>();
  for (const entry of entries) byKey.set(entry.key, entry);
  return { entries, byKey };
};

const lazyMap = (data: MapData, offset: number): MapData => {
  let made: Pick<MapData, 'entries' | 'byKey'> | undefined;
  const members = (): Pick<MapData, 'entries' | 'byKey'> => {
    made ??= membersOf(data, offset);
    return made;
  };
  return {
    kind: 'object',
    span: shiftSpan(data.span, offset),
    get entries() {
      return members().entries;
    },
    get byKey() {
      return members().byKey;
    },
  };
};
