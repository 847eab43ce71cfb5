/**
 * Maps: JSON records as they stand, maps made by an expression, and the two variables. A map made by
 * an expression keeps `1`, `1u` and `1.0` as keys of their own, as the real one does; looking one up
 * goes across the number types.
 */
import { CelDuration, CelTimestamp } from './time.ts';
import {
  CelObject,
  type CelResult,
  CelUint,
  type CelValue,
  isRecord,
  type JsonRecord,
  noSuchOverload,
} from './value.ts';

/** A map whose keys may be of any type; keeps the order of insertion. */
export class CelMap extends CelObject {
  readonly entries: Map<unknown, readonly [CelValue, CelValue]>;
  /** True while a comprehension builds it, when nobody else can see it. */
  isGrowing = false;
  constructor(entries: Iterable<readonly [CelValue, CelValue]> = []) {
    super();
    this.entries = new Map();
    for (const entry of entries) this.entries.set(mapKey(entry[0]), entry);
  }
  get typeName(): string {
    return 'map';
  }
  override get size(): number {
    return this.entries.size;
  }
  /** A copy that a comprehension may add to. */
  static growingFrom(entries: Iterable<readonly [CelValue, CelValue]>): CelMap {
    const map = new CelMap(entries);
    map.isGrowing = true;
    return map;
  }
  /** Adds an entry to a growing map; false if there is one. */
  insert(key: CelValue, value: CelValue): boolean {
    if (this.find(key) !== undefined) return false;
    this.entries.set(mapKey(key), [key, value]);
    return true;
  }
  /** The value of a key, looked up across the number types. */
  find(key: CelValue): CelValue | undefined {
    const exact = this.entries.get(mapKey(key));
    if (exact !== undefined) return exact[1];
    for (const equivalent of numericEquivalents(key)) {
      const entry = this.entries.get(mapKey(equivalent));
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }
}

/**
 * The variable `claims` or `user` as a whole. It is no map to functions: `in`, `size` and `==` with
 * a map fail, and going through it yields the values.
 */
export class VariableMap extends CelObject {
  readonly typeName: string;
  readonly record: JsonRecord;
  constructor(typeName: string, record: JsonRecord) {
    super();
    this.typeName = typeName;
    this.record = record;
  }
  override get size(): number {
    return Object.keys(this.record).length;
  }
  override equals(other: CelValue): CelResult {
    return other instanceof VariableMap ? other.record === this.record : noSuchOverload;
  }
}

/** Anything that is a map to functions. */
export type MapValue = CelMap | JsonRecord;

/** Whether a value is a map to functions; a variable as a whole is none. */
export const isMap = (value: CelValue): value is MapValue =>
  value instanceof CelMap || isRecord(value);

/** Value of a key; `undefined` when it is missing. Own members only. */
export const findInMap = (map: MapValue, key: CelValue): CelValue | undefined => {
  if (map instanceof CelMap) return map.find(key);
  return typeof key === 'string' ? ownMember(map, key) : undefined;
};

/** An own member of a record, never one of its prototype. */
export const ownMember = (record: JsonRecord, name: string): CelValue | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Number of entries. */
export const mapSize = (map: MapValue): number =>
  map instanceof CelMap ? map.size : Object.keys(map).length;

/** Keys in their order. */
export const mapKeys = (map: MapValue): readonly CelValue[] =>
  map instanceof CelMap ? [...map.entries.values()].map((entry) => entry[0]) : Object.keys(map);

/** Keys and values in their order. */
export const mapEntries = (map: MapValue): readonly (readonly [CelValue, CelValue])[] =>
  map instanceof CelMap ? [...map.entries.values()] : Object.entries(map);

/** One key of a JavaScript map for each distinct key of a CEL map; NaN is equal to no key, itself included. */
export const mapKey = (key: CelValue): unknown => {
  if (typeof key === 'string') return key.charCodeAt(0) === 0 ? `\0s${key}` : key;
  if (Number.isNaN(key)) return Symbol('NaN');
  if (key instanceof CelUint) return `\0u${key.value}`;
  if (key instanceof CelTimestamp) return `\0t${key.nanos}`;
  if (key instanceof CelDuration) return `\0d${key.nanos}`;
  return key;
};

/** The same number in the other number types, where nothing is lost. */
const numericEquivalents = (key: CelValue): readonly CelValue[] => {
  if (typeof key === 'number') {
    if (!Number.isInteger(key)) return [];
    const integer = BigInt(key);
    return [integer, new CelUint(integer)];
  }
  if (typeof key === 'bigint') return [new CelUint(key), ...exactDouble(key)];
  if (key instanceof CelUint) return [key.value, ...exactDouble(key.value)];
  return [];
};

const exactDouble = (integer: bigint): readonly number[] => {
  const double = Number(integer);
  return BigInt(double) === integer ? [double] : [];
};
