/** Types at run time: the name of a value's type, and whether a value fits a parameter. */
import { CelMap, mapEntries, mapSize } from './map-value.ts';
import { type CelType, runtimeTypeName } from './types.ts';
import { CelObject, type CelValue, isList, isRecord } from './value.ts';

/** Returns `string`, `list`, `google.protobuf.Duration`, `net.IP`, … */
export const typeNameOf = (value: CelValue): string => {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'double';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      return objectTypeName(value);
  }
};

/** Checks whether a value fits a parameter. Only the first entry of a list or map is checked. */
export const fitsType = (value: CelValue, type: CelType): boolean => {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return true;
    case 'list':
      return isList(value) && (value.length === 0 || fitsType(value[0] ?? null, type.element));
    case 'map':
      return fitsMap(value, type.key, type.value);
    default:
      return typeNameOf(value) === runtimeTypeName(type);
  }
};

const objectTypeName = (value: CelValue): string => {
  if (value === null) return 'null_type';
  if (isList(value)) return 'list';
  return value instanceof CelObject ? value.typeName : 'map';
};

const fitsMap = (value: CelValue, key: CelType, entry: CelType): boolean => {
  if (!(value instanceof CelMap) && !isRecord(value)) return false;
  if (mapSize(value) === 0) return true;
  const [first] = mapEntries(value);
  return first !== undefined && fitsType(first[0], key) && fitsType(first[1], entry);
};
