/**
 * Implements `==`: numbers are compared by value across their types, lists and maps by content,
 * other values within their type.
 */
import { countSteps } from './evaluation-steps.ts';
import { findInMap, isMap, type MapValue, mapKeys, mapSize, VariableMap } from './map-value.ts';
import { CelObject, CelOptional, type CelResult, CelUint, type CelValue, isList } from './value.ts';

/**
 * Checks whether two values are equal. Only comparing a whole variable with another value is an
 * error.
 */
export const equals = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'string' || typeof b === 'string') {
    return a instanceof VariableMap ? a.equals(b) : a === b;
  }
  if (a === null || b === null) return a === b;
  switch (typeof a) {
    case 'boolean':
      return a === b;
    case 'number':
    case 'bigint':
      return numbersEqual(a, b);
    default:
      return objectsEqual(a, b);
  }
};

const numbersEqual = (a: number | bigint, b: CelValue): boolean => {
  if (typeof b === 'number' || typeof b === 'bigint') return sameNumber(a, b);
  return b instanceof CelUint && sameNumber(a, b.value);
};

/** Compares an integer with a double as doubles, like cel-go. */
const sameNumber = (a: number | bigint, b: number | bigint): boolean =>
  typeof a === typeof b ? a === b : Number(a) === Number(b);

const objectsEqual = (a: CelValue, b: CelValue): CelResult => {
  if (isList(a)) return isList(b) && listsEqual(a, b);
  if (a instanceof CelUint) {
    return b instanceof CelUint ? a.value === b.value : numbersEqual(a.value, b);
  }
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalsEqual(a, b);
  if (isMap(a)) return (isMap(b) || b instanceof VariableMap) && mapsEqual(a, b);
  return a instanceof CelObject && a.equals(b);
};

/**
 * Compares the elements of two lists. An error between elements does not make the lists different,
 * as in cel-go.
 */
const listsEqual = (a: readonly CelValue[], b: readonly CelValue[]): boolean => {
  const { length } = a;
  if (length !== b.length) return false;
  countSteps(4 + 2 * length);
  for (let index = 0; index < length; index++) {
    if (equals(a[index] ?? null, b[index] ?? null) === false) return false;
  }
  return true;
};

const optionalsEqual = (a: CelOptional, b: CelOptional): CelResult => {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
};

const mapsEqual = (a: MapValue, b: MapValue | VariableMap): boolean => {
  const other = b instanceof VariableMap ? b.record : b;
  if (mapSize(a) !== mapSize(other)) return false;
  countSteps(10 + 30 * mapSize(a));
  return mapKeys(a).every((key) => {
    const mine = findInMap(a, key);
    const theirs = findInMap(other, key);
    return mine !== undefined && theirs !== undefined && !(equals(mine, theirs) === false);
  });
};
