/**
 * Up to 1.33, claims and user are converted to unstructured objects before an expression reads
 * them: they are ordinary maps, and numbers that are written as integers are ints. The doubles of
 * `JSON.parse` do not show how a number was written, so claims with unusual numbers come with
 * `withIntegers`.
 */
import type { Release } from '../../../model/release.ts';
import { maxInt64, minInt64 } from '../../values/int64.ts';
import { type CelValue, isList, isRecord, type JsonRecord } from '../../values/value.ts';

/**
 * The first release whose expressions read variables through wrappers that decode a member when it
 * is selected.
 */
export const lazyVariablesSince: Release = 34;

/**
 * Converts the variable to an unstructured object. All expressions of a token share one conversion.
 */
export const toUnstructured = (record: JsonRecord): JsonRecord => {
  const cached = converted.get(record);
  if (cached !== undefined) return cached;
  const result = convertRecord(record);
  converted.set(record, result);
  unstructuredRecords.add(result);
  return result;
};

/**
 * Sets what the variable is converted to: the same data, with bigints for the numbers that are
 * written as integers.
 */
export const setUnstructured = (variable: JsonRecord, withIntegers: JsonRecord): void => {
  converted.set(variable, withIntegers);
  unstructuredRecords.add(withIntegers);
};

/** Checks whether the record is the result of such a conversion. */
export const isUnstructured = (record: JsonRecord): boolean => unstructuredRecords.has(record);

const converted = new WeakMap<JsonRecord, JsonRecord>();
const unstructuredRecords = new WeakSet<JsonRecord>();

const convertRecord = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));

const convert = (value: CelValue): CelValue => {
  if (typeof value === 'number') return toIntIfWhole(value);
  if (isList(value)) return value.map(convert);
  return isRecord(value) ? convertRecord(value) : value;
};

const toIntIfWhole = (value: number): CelValue => {
  if (!Number.isInteger(value)) return value;
  const whole = BigInt(value);
  return whole >= minInt64 && whole <= maxInt64 ? whole : value;
};
