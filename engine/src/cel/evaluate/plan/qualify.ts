/** Selecting and indexing: one step from a value to what it holds under a key. */
import { unescapeName } from '../../tree/field-name.ts';
import { goTypeName } from '../../values/go-type-name.ts';
import { maxInt64 } from '../../values/int64.ts';
import { CelMap, ownMember, VariableMap } from '../../values/map-value.ts';
import { printValue } from '../../values/print-value.ts';
import { typeNameOf } from '../../values/runtime-type.ts';
import {
  CelError,
  type CelResult,
  CelUint,
  type CelValue,
  isList,
  isRecord,
  noSuchOverload,
} from '../../values/value.ts';

/** `undefined` when there is nothing under the key. */
export type LookupResult = CelResult | undefined;

/**
 * What a value holds under a key. Names are unescaped for JSON data, except for data that a
 * comprehension took out of a list (`raw`), which the real server reads by the name as it stands.
 */
export const lookUp = (value: CelValue, key: CelValue, raw: boolean): LookupResult => {
  if (isList(value)) return elementAt(value, key);
  if (value instanceof CelMap) return value.find(key);
  if (value instanceof VariableMap) {
    return typeof key === 'string' ? variableMember(value, key) : noSuchOverload;
  }
  if (!isRecord(value) || typeof key !== 'string') return undefined;
  return ownMember(value, raw ? key : (unescapeName(key) ?? key));
};

/** The error for a key under which there is nothing. */
export const missingKeyError = (value: CelValue, key: CelValue): CelError =>
  new CelError(
    isList(value) ? `index out of bounds: ${printValue(key)}` : `no such key: ${printValue(key)}`,
  );

/** Whether a value may stand in brackets at all. */
export const isKey = (key: CelValue): boolean =>
  typeof key === 'string' ||
  typeof key === 'number' ||
  typeof key === 'bigint' ||
  typeof key === 'boolean' ||
  key instanceof CelUint;

/** The error for a value that cannot stand in brackets. */
export const invalidKeyError = (key: CelValue, isWrapped: boolean): CelError =>
  new CelError(`invalid qualifier type: ${goTypeName(key, isWrapped)}`);

const variableMember = (map: VariableMap, key: string): LookupResult => {
  const name = unescapeName(key);
  return name === undefined ? undefined : ownMember(map.record, name);
};

const elementAt = (list: readonly CelValue[], key: CelValue): LookupResult => {
  const index = indexOf(key);
  return typeof index === 'number' ? list[index] : index;
};

const indexOf = (key: CelValue): number | CelError => {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof CelUint)
    return key.value > maxInt64 ? unsupportedIndexError(key) : Number(key.value);
  if (typeof key === 'number') {
    return Number.isInteger(key) && key >= -(2 ** 63) && key < 2 ** 63
      ? key
      : unsupportedIndexError(key);
  }
  return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
};

const unsupportedIndexError = (key: CelValue): CelError =>
  new CelError(`unsupported index value ${printValue(key)} in list`);
