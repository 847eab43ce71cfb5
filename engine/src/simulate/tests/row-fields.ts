/** Reads typed fields of a map that the table of fields has validated. */
import type { RowMap, RowValue } from '../../config/rows/read-rows.ts';
import type { MapData } from '../../documents/yaml/data.ts';
import type { WrittenText } from './test-file.ts';

export const emptyMap: RowMap = {
  kind: 'map',
  fields: new Map(),
  path: '',
  span: { start: 0, end: 0 },
};

export const mapOf = ({ fields }: RowMap, name: string): RowMap | undefined => {
  const value = fields.get(name);
  return value?.kind === 'map' ? value : undefined;
};

export const mapsOf = (map: RowMap, name: string): readonly RowMap[] =>
  itemsOf(map, name).filter((item) => item.kind === 'map');

export const textOf = ({ fields }: RowMap, name: string): string | undefined => {
  const value = fields.get(name);
  return value?.kind === 'string' ? value.text : undefined;
};

export const writtenOf = ({ fields }: RowMap, name: string): WrittenText | undefined => {
  const value = fields.get(name);
  return value?.kind === 'string' ? value : undefined;
};

export const writtenListOf = (map: RowMap, name: string): readonly WrittenText[] =>
  itemsOf(map, name).filter((item) => item.kind === 'string');

export const textsOf = (map: RowMap, name: string): readonly string[] =>
  writtenListOf(map, name).map(({ text }) => text);

export const dataOf = ({ fields }: RowMap, name: string): MapData | undefined => {
  const value = fields.get(name);
  return value?.kind === 'data' ? value.data : undefined;
};

/** Returns the values of a map whose names are free, each as a list of strings. */
export const listsByName = (map: RowMap | undefined): ReadonlyMap<string, readonly string[]> => {
  const lists = new Map<string, readonly string[]>();
  map?.fields.forEach((value, name) => {
    lists.set(name, stringsOf(value));
  });
  return lists;
};

const stringsOf = (value: RowValue): readonly string[] => {
  if (value.kind === 'string') return [value.text];
  return value.kind === 'list'
    ? value.items.filter((item) => item.kind === 'string').map(({ text }) => text)
    : [];
};

const itemsOf = ({ fields }: RowMap, name: string): readonly RowValue[] => {
  const value = fields.get(name);
  return value?.kind === 'list' ? value.items : [];
};
