/** Selection and indexing: looks up one key in a value. */
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

/** The value of a key, or `undefined` if it is missing. */
export type LookupResult = CelResult | undefined;

/**
 * Looks up a key in a value. Names are unescaped for JSON data, except for elements that a
 * comprehension read from a list (`raw`), for which kube-apiserver uses the name unchanged.
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

/** Returns the error for a missing key. */
export const missingKeyError = (value: CelValue, key: CelValue): CelError =>
  new CelError(
    isList(value) ? `index out of bounds: ${printValue(key)}` : `no such key: ${printValue(key)}`,
  );

/** Checks whether a value can be used as a key. */
export const isKey = (key: CelValue): boolean =>
  typeof key === 'string' ||
  typeof key === 'number' ||
  typeof key === 'bigint' ||
  typeof key === 'boolean' ||
  key instanceof CelUint;

/** Returns the error for a value that cannot be used as a key. */
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
