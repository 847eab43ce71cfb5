/**
 * Up to 1.33, claims and user are converted to unstructured objects before an expression reads
 * them: they are ordinary maps, and whole numbers are ints. JSON data has lost its literals here,
 * so `1.0` counts as whole, and an integer of more than 53 bits is only as exact as a double.
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
