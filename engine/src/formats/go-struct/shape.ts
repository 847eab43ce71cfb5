/**
 * The shape of Go structs as data: their fields with order and type, kube-apiserver's names of
 * structs and types for error messages, and what merging, field ownership and the protobuf encoding
 * read of a field.
 */
import { foldName } from '../go-json.ts';
import type { PlainValue } from '../json-with-positions.ts';

/** Type of a value. */
export type Shape =
  /** `goType` is the name of the type in messages. */
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int32' }
  | { readonly kind: 'int64' }
  /** A string in base64. */
  | { readonly kind: 'bytes' }
  /** A string in RFC 3339, or null. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: Shape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: Shape }
  | StructShape
  /** Any value, stored unchanged. `isRead`: the decoder itself has to understand the data. */
  | { readonly kind: 'raw'; readonly isRead?: true }
  | CustomShape;

/** A struct with its fields by name and in order. */
export interface StructShape {
  readonly kind: 'struct';
  /** Name of the struct in messages: `ObjectMeta` in `Go struct field ObjectMeta.metadata.name`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, Shape>;
  /** Names of fields by their folded form. */
  readonly foldedNames: ReadonlyMap<string, string>;
  /** Names of fields that are pointers in Go. */
  readonly pointers: ReadonlySet<string>;
  readonly rows: readonly FieldRow[];
}

/** A value whose Go type has a decoder of its own. */
export interface CustomShape {
  readonly kind: 'custom';
  /** A null clears a pointer; otherwise it is decoded like any other value. */
  readonly isPointer?: true;
  /** Returns the value, or an error that ends the decoding and may quote the source. */
  decode(value: PlainValue, source: Uint8Array): CustomValue | DecodeError | undefined;
}

/** The result of a decoder of its own. */
export type CustomValue = string | number | bigint | readonly string[];

/** An error that ends the decoding. */
export class DecodeError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Properties of a field in addition to its type. */
export interface FieldOptions {
  /** Field number in the protobuf encoding. */
  readonly number?: number;
  /**
   * `always`: written even if empty. `when-set`: a pointer in Go, which is written if it was set,
   * even to an empty value. Absent: written unless empty.
   */
  readonly written?: 'always' | 'when-set';
  /**
   * Merge key of a strategic merge: items are merged if this member is equal. `value` for lists of
   * strings.
   */
  readonly mergeKey?: string;
  /**
   * What field managers own: the field as a whole (`atomic`), its items by value (`set`), or its
   * items by a key.
   */
  readonly ownership?: 'atomic' | 'set' | KeyedItems;
}

/**
 * Ownership of list items by a key. `atomic`: an item is owned as a whole, not member by member.
 */
export interface KeyedItems {
  readonly key: string;
  readonly atomic?: true;
}

/** A field of a struct. */
export interface FieldRow extends FieldOptions {
  readonly name: string;
  readonly shape: Shape;
}

/** A string. */
export const string: Shape = { kind: 'string', goType: 'string' };
/** A Boolean. */
export const bool: Shape = { kind: 'bool' };
/** A 32-bit integer. */
export const int32: Shape = { kind: 'int32' };
/** A 64-bit integer. */
export const int64: Shape = { kind: 'int64' };
/** Bytes in base64. */
export const bytes: Shape = { kind: 'bytes' };
/** A time. */
export const time: Shape = { kind: 'time' };
/** Any value, stored unchanged. */
export const raw: Shape = { kind: 'raw' };
/** Any value that the decoder understands. */
export const any: Shape = { kind: 'raw', isRead: true };
/** The UID of an object. */
export const uid: Shape = { kind: 'string', goType: 'types.UID' };

/** Returns a list. */
export const list = (goType: string, item: Shape): Shape => ({ kind: 'list', goType, item });

/** Returns a map from strings to values. */
export const map = (goType: string, value: Shape): Shape => ({ kind: 'map', goType, value });

/** A list of strings. */
export const stringList = list('[]string', string);
/** A map of strings. */
export const stringMap = map('map[string]string', string);

/** Returns a struct with fields in the order of kube-apiserver's struct. */
export const struct = (
  goType: string,
  ...fields: readonly (readonly [name: string, shape: Shape, facts?: FieldOptions])[]
): StructShape => ({
  kind: 'struct',
  // An anonymous struct has no name.
  name: /^\w+\.(\w+)$/.exec(goType)?.[1] ?? '',
  goType,
  fields: new Map(fields.map(([field, shape]) => [field, shape])),
  foldedNames: new Map(fields.map(([field]) => [foldName(field), field])),
  pointers: new Set(
    fields.flatMap(([field, , options]) => (options?.written === 'when-set' ? [field] : [])),
  ),
  rows: fields.map(([field, shape, facts]) => ({ name: field, shape, ...facts })),
});
