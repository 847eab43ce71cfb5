/**
 * What a document means: JSON data with positions. YAML and JSON texts are both converted to it. A
 * duplicate key keeps all its entries; the last one wins, as in kube-apiserver.
 */
import type { PositionMap } from '../../source/position-map.ts';
import type { Span } from '../../source/span.ts';

interface DataBase {
  readonly span: Span;
}

export interface StringData extends DataBase {
  readonly kind: 'string';
  readonly text: string;
  readonly map: PositionMap;
}

export interface NumberData extends DataBase {
  readonly kind: 'number';
  /** The number in JSON notation. */
  readonly text: string;
}

export interface BoolData extends DataBase {
  readonly kind: 'bool';
  readonly value: boolean;
}

export interface NullData extends DataBase {
  readonly kind: 'null';
}

export interface ListData extends DataBase {
  readonly kind: 'array';
  readonly items: readonly DataNode[];
}

/** A key of a map with its value. */
export interface DataEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: DataNode;
  /** The earlier entry with the same key that this one replaces. */
  readonly replaces: DataEntry | undefined;
}

/** A map. The last of several entries with the same key wins, as in kube-apiserver. */
export interface MapData extends DataBase {
  readonly kind: 'object';
  /** All entries in the order in which they are set. */
  readonly entries: readonly DataEntry[];
  /** The effective entry of each key. */
  readonly byKey: ReadonlyMap<string, DataEntry>;
}

/** A JSON value with its position, whether it was written in YAML or JSON. */
export type DataNode = StringData | NumberData | BoolData | NullData | ListData | MapData;

/** Creates a map from its entries; the last one of a key wins. */
export const mapData = (
  span: Span,
  entriesInOrder: readonly Omit<DataEntry, 'replaces'>[],
): MapData => {
  if (entriesInOrder.length === 0)
    return { kind: 'object', span, entries: noEntries, byKey: noKeys };
  const byKey = new Map<string, DataEntry>();
  const entries = entriesInOrder.map(({ key, keySpan, value }): DataEntry => {
    const entry = { key, keySpan, value, replaces: byKey.get(key) };
    byKey.set(key, entry);
    return entry;
  });
  return { kind: 'object', span, entries, byKey };
};

/** Shared by all empty maps, because a file may contain a hundred thousand of them. */
const noEntries: readonly DataEntry[] = [];
const noKeys: ReadonlyMap<string, DataEntry> = new Map();
