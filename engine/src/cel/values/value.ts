/**
 * CEL values at run time. JSON data is used as CEL data: a string is a string, a number a double,
 * an array a list, and a record created by `JSON.parse` is a map (own members only). `int` is a
 * bigint; all other types have a class.
 */

/** A record made by `JSON.parse`: read own members only, never through the prototype. */
export interface JsonRecord {
  readonly [key: string]: CelValue;
}

/** Any CEL value. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly CelValue[]
  | JsonRecord
  | CelObject;

/**
 * The base class of values that JSON cannot represent: uint, bytes, times, maps, optionals, types,
 * library objects.
 */
export abstract class CelObject {
  /** The name of its type as `type(x)` prints it. */
  abstract readonly typeName: string;

  /** Evaluates `==` with a value that is not null. */
  equals(other: CelValue): CelResult {
    return this === other;
  }

  /** The size for `size()` and for the cost model, if the type has one. */
  get size(): number | undefined {
    return undefined;
  }

  /**
   * The approximate number of characters or items, for calls that take longer for larger values.
   */
  get itemCount(): number {
    return 1;
  }
}

/** An error, which is a value in CEL: `&&` and `||` may absorb it. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** A value or an error. */
export type CelResult = CelValue | CelError;

/**
 * The implementation of an overload: it accepts as many arguments as the overload has parameters.
 */
export type Body = (...args: CelValue[]) => CelResult;

/** An unsigned 64-bit number. */
export class CelUint extends CelObject {
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
  get typeName(): string {
    return 'uint';
  }
}

/** A sequence of bytes. */
export class CelBytes extends CelObject {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }
  get typeName(): string {
    return 'bytes';
  }
  override get size(): number {
    return this.bytes.length;
  }
  override get itemCount(): number {
    return this.bytes.length;
  }
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelBytes) || other.bytes.length !== this.bytes.length) return false;
    return this.bytes.every((byte, index) => byte === other.bytes[index]);
  }
}

/** A value that may be absent: `optional.of(x)` or `optional.none()`. */
export class CelOptional extends CelObject {
  /** The value, or `undefined` for `optional.none()`. */
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    super();
    this.value = value;
  }
  get typeName(): string {
    return 'optional_type';
  }
}

/** A type as a value. */
export class CelTypeValue extends CelObject {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  get typeName(): string {
    return 'type';
  }
  override equals(other: CelValue): boolean {
    return other instanceof CelTypeValue && other.name === this.name;
  }
}

/**
 * A list that a function of kube-apiserver returns as native strings (`split`, `findAll`). It
 * behaves like any other list, except that the mappings for groups and extra reject it.
 */
export class StringList extends Array<CelValue> {
  /** Makes `map` and `slice` return plain lists. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/**
 * The list that a comprehension builds by appending to it, while no other code has a reference to
 * it.
 */
export class GrowingList extends Array<CelValue> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** The error for a value whose type an operation does not support. */
export const noSuchOverload = new CelError('no such overload');
/** The value `optional.none()`. */
export const none = new CelOptional(undefined);

/** Checks whether a value is a list. */
export const isList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);

/** Checks whether a value is a JSON record. */
export const isRecord = (value: CelValue): value is JsonRecord =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof CelObject) &&
  !Array.isArray(value);

/** Creates a native list of strings, see `StringList`. */
export const stringList = (texts: readonly string[]): StringList => {
  const list = new StringList();
  for (const text of texts) list.push(text);
  return list;
};
