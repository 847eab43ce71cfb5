/**
 * CEL values at run time. JSON data is CEL data as it stands: text is string, a number is double, an
 * array is a list, a record made by JSON.parse is a map (own members only). Everything that JSON has
 * no form for is a class of its own; int is bigint.
 */

/** A record made by `JSON.parse`: read own members only, never through the prototype. */
export interface JsonRecord {
  readonly [key: string]: CelValue;
}

/** Any value. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly CelValue[]
  | JsonRecord
  | CelObject;

/** Base of every class that stands for a CEL value: uint, bytes, time, maps, optionals, types, library objects. */
export abstract class CelObject {
  /** Name of its type as `type(x)` prints it. */
  abstract readonly typeName: string;

  /** `==` with a value that is not null. */
  equals(other: CelValue): CelResult {
    return this === other;
  }

  /** What `size` and the cost model measure, for the types that have a size. */
  get size(): number | undefined {
    return undefined;
  }

  /** About how many characters or items it has, for calls that take longer for larger values. */
  get itemCount(): number {
    return 1;
  }
}

/** An error is a value: `&&` and `||` may absorb it. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** A value or an error. */
export type CelResult = CelValue | CelError;

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

/** A value that may be absent. */
export class CelOptional extends CelObject {
  /** `undefined` for `optional.none()`. */
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    super();
    this.value = value;
  }
  get typeName(): string {
    return 'optional_type';
  }
}

/** The type of a value, as a value. */
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
 * A list that a function of the real server holds as native texts (`split`, `findAll`). It is a list
 * like any other, except that the mappings for groups and extra refuse it.
 */
export class StringList extends Array<CelValue> {
  /** Lists made from it by `map` or `slice` are ordinary. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** The list that a comprehension builds, while nobody else can see it: adding to it changes it. */
export class GrowingList extends Array<CelValue> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** The error of a value of a type that an operation does not know. */
export const noSuchOverload = new CelError('no such overload');
/** `optional.none()`. */
export const none = new CelOptional(undefined);

/** Whether a value is a list. */
export const isList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);

/** Whether a value is a JSON record. */
export const isRecord = (value: CelValue): value is JsonRecord =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof CelObject) &&
  !Array.isArray(value);

/** A native list of texts, see `StringList`. */
export const stringList = (texts: readonly string[]): StringList => {
  const list = new StringList();
  for (const text of texts) list.push(text);
  return list;
};
