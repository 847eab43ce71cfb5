/** Places in a configuration that is being written, and what each can hold. */
import type { LooseScalar } from '../documents/yaml/loose-scalar.ts';
import type { Span } from '../source/span.ts';
import type { FieldRow, FieldType, StructName } from './schema.ts';

export type Layout = 'block' | 'flow' | 'json';

interface PlaceBase {
  /** Path of the enclosing struct or list: `jwt[0].issuer`; empty for the file itself. */
  readonly path: string;
  readonly layout: Layout;
  /** Columns from the indentation of the line to the key, which further lines have to add. */
  readonly offset: number;
}

/** The name of a field, or a place where one can be written. */
export interface KeyPlace extends PlaceBase {
  readonly kind: 'key';
  readonly struct: StructName;
  /** Position of the name as far as it is written, without quotes; empty on an empty line. */
  readonly written: Span;
  readonly name: string;
  readonly quoted: boolean;
  readonly hasColon: boolean;
  /** Names that the struct already has, except for the one at the place. */
  readonly present: ReadonlySet<string>;
}

/** The value of a field without fields of its own, or an item of a list of such values. */
export interface ValuePlace extends PlaceBase {
  readonly kind: 'value';
  readonly struct: StructName;
  readonly row: FieldRow;
  /** Type of the value itself: in a list, the type of the item. */
  readonly type: FieldType;
  readonly scalar: LooseScalar;
  /** The other items of the same list, or the other values of the same struct, by name. */
  readonly siblings: ReadonlyMap<string, string>;
}

/** A place where a list in block layout can get another item. */
export interface ItemPlace extends PlaceBase {
  readonly kind: 'item';
  readonly row: FieldRow;
  readonly type: FieldType;
  /** Position of the dash, if it has been typed. */
  readonly written: Span;
}

/** A place after the colon of a field that holds fields or a list, on the same line. */
export interface OpenPlace extends PlaceBase {
  readonly kind: 'open';
  readonly row: FieldRow;
  readonly type: FieldType;
  readonly written: Span;
}

export type ConfigPlace = KeyPlace | ValuePlace | ItemPlace | OpenPlace;

/** A path in the file with the type of the value there. */
export interface TypedPath {
  readonly path: string;
  readonly type: FieldType;
  /** Struct and schema row of the nearest field; `undefined` for the file itself. */
  readonly owner: { readonly struct: StructName; readonly row: FieldRow } | undefined;
}
