/**
 * CEL values at run time. JSON data is CEL data as it stands: text is string, a number is double, an
 * array is a list, a record made by JSON.parse is a map (own members only). Everything that JSON has
 * no form for is a class of its own; int is bigint.
 */

/** A record made by `JSON.parse`: read own members only, never through the prototype. */
export interface JsonRecord {
  readonly [key: string]: CelValue;
}

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
}

/** An error is a value: `&&` and `||` may absorb it. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type CelResult = CelValue | CelError;
