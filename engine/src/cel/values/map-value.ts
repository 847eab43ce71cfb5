/**
 * Maps: JSON records, maps created by an expression, and the two variables. A map created by an
 * expression stores `1`, `1u` and `1.0` as different keys, as cel-go does; a look-up finds a key
 * across the number types.
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

/** A map with keys of any type, in insertion order. */
export class CelMap extends CelObject {
  readonly entries: Map<unknown, readonly [CelValue, CelValue]>;
  /** True while a comprehension builds the map and no other code has a reference to it. */
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
  /** Returns a copy that a comprehension may add to. */
  static growingFrom(entries: Iterable<readonly [CelValue, CelValue]>): CelMap {
    const map = new CelMap(entries);
    map.isGrowing = true;
    return map;
  }
  /** Adds an entry to a growing map; returns false if the key exists. */
  insert(key: CelValue, value: CelValue): boolean {
    if (this.find(key) !== undefined) return false;
    this.entries.set(mapKey(key), [key, value]);
    return true;
  }
  /** Returns the value of a key, which is looked up across the number types. */
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
 * The whole variable `claims` or `user`. Functions do not accept it as a map: `in`, `size` and `==`
 * with a map fail, and iterating over it yields the values.
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

/** A value that functions accept as a map. */
export type MapValue = CelMap | JsonRecord;

/** Checks whether functions accept a value as a map; a whole variable is not accepted. */
export const isMap = (value: CelValue): value is MapValue =>
  value instanceof CelMap || isRecord(value);

/** Returns the value of a key, or `undefined` if it is missing. Only own members count. */
export const findInMap = (map: MapValue, key: CelValue): CelValue | undefined => {
  if (map instanceof CelMap) return map.find(key);
  return typeof key === 'string' ? ownMember(map, key) : undefined;
};

/** Returns an own member of a record, never one of its prototype. */
export const ownMember = (record: JsonRecord, name: string): CelValue | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Returns the number of entries. */
export const mapSize = (map: MapValue): number =>
  map instanceof CelMap ? map.size : Object.keys(map).length;

/** Returns the keys in order. */
export const mapKeys = (map: MapValue): readonly CelValue[] =>
  map instanceof CelMap ? [...map.entries.values()].map((entry) => entry[0]) : Object.keys(map);

/** Returns the entries in order. */
export const mapEntries = (map: MapValue): readonly (readonly [CelValue, CelValue])[] =>
  map instanceof CelMap ? [...map.entries.values()] : Object.entries(map);

/** Returns one JavaScript map key for each distinct CEL key. NaN equals no key, not even itself. */
export const mapKey = (key: CelValue): unknown => {
  if (typeof key === 'string') return key.charCodeAt(0) === 0 ? `\0s${key}` : key;
  if (Number.isNaN(key)) return Symbol('NaN');
  if (key instanceof CelUint) return `\0u${key.value}`;
  if (key instanceof CelTimestamp) return `\0t${key.nanos}`;
  if (key instanceof CelDuration) return `\0d${key.nanos}`;
  return key;
};

/** Returns the same number in the other number types, where the conversion is exact. */
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
