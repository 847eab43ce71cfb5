/**
 * Shifts nodes and data to another position: an unchanged part of a file moves when lines before it
 * are added or removed. Shifted parts are created on demand and only once.
 */
import { once } from '../../source/once.ts';
import { shiftMap } from '../../source/position-map.ts';
import { shiftSpan } from '../../source/span.ts';
import type { DataEntry, DataNode, MapData } from './data.ts';
import type { MappingNode, YamlNode } from './document.ts';

export interface Shift {
  /** Distance in UTF-16 units. */
  readonly offset: number;
  readonly lines: number;
}

/** Shifts a tree without aliases. The entries of a map are shifted on demand. */
export const shiftNode = (node: YamlNode, shift: Shift): YamlNode => {
  if (shift.offset === 0 && shift.lines === 0) return node;
  return node.kind === 'mapping' ? lazyMapping(node, shift) : shiftNodeEagerly(node, shift);
};

/** Shifts a tree at once, so that repeated shifts do not build a chain. */
export const shiftNodeEagerly = (node: YamlNode, shift: Shift): YamlNode => {
  const span = shiftSpan(node.span, shift.offset);
  const line = node.line + shift.lines;
  switch (node.kind) {
    case 'scalar':
      return { ...node, span, line, map: shiftMap(node.map, shift.offset) };
    case 'sequence':
      return {
        ...node,
        span,
        line,
        items: node.items.map((item) => shiftNodeEagerly(item, shift)),
      };
    case 'mapping':
      return { ...node, span, line, entries: entriesOf(node, shift) };
    case 'alias':
      throw new Error('unreachable: a tree with aliases is not moved');
  }
};

const entriesOf = (node: MappingNode, shift: Shift): MappingNode['entries'] =>
  node.entries.map(({ key, value }) => ({
    key: shiftNodeEagerly(key, shift),
    value: shiftNodeEagerly(value, shift),
  }));

const lazyMapping = (node: MappingNode, shift: Shift): MappingNode => {
  const entries = once(() => entriesOf(node, shift));
  return {
    kind: 'mapping',
    span: shiftSpan(node.span, shift.offset),
    line: node.line + shift.lines,
    tag: node.tag,
    flow: node.flow,
    get entries() {
      return entries();
    },
  };
};

/** Shifts data. The entries of a map are shifted on demand. */
export const shiftData = (data: DataNode, offset: number): DataNode => {
  if (offset === 0) return data;
  return data.kind === 'object' ? lazyMapData(data, offset) : shiftDataEagerly(data, offset);
};

/** Shifts data at once. */
export const shiftDataEagerly = (data: DataNode, offset: number): DataNode => {
  const span = shiftSpan(data.span, offset);
  switch (data.kind) {
    case 'string':
      return { ...data, span, map: shiftMap(data.map, offset) };
    case 'array':
      return { ...data, span, items: data.items.map((item) => shiftDataEagerly(item, offset)) };
    case 'object':
      return { kind: 'object', span, ...membersOf(data, offset) };
    default:
      return { ...data, span };
  }
};

const membersOf = (data: MapData, offset: number): Pick<MapData, 'entries' | 'byKey'> => {
  const shiftedEntries = new Map<DataEntry, DataEntry>();
  const entries = data.entries.map((entry): DataEntry => {
    const { key, keySpan, value, replaces } = entry;
    const shifted: DataEntry = {
      key,
      keySpan: shiftSpan(keySpan, offset),
      value: shiftDataEagerly(value, offset),
      replaces: replaces === undefined ? undefined : shiftedEntries.get(replaces),
    };
    shiftedEntries.set(entry, shifted);
    return shifted;
  });
  const byKey = new Map<string, DataEntry>();
  for (const entry of entries) byKey.set(entry.key, entry);
  return { entries, byKey };
};

const lazyMapData = (data: MapData, offset: number): MapData => {
  const members = once(() => membersOf(data, offset));
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
