/** What may stand at a place of a configuration that somebody is writing. */
import type { LooseScalar } from '../documents/yaml/loose-scalar.ts';
import type { Span } from '../source/span.ts';
import type { FieldRow, FieldType, StructName } from './schema.ts';

export type Layout = 'block' | 'flow' | 'json';

interface PlaceBase {
  /** Of the struct or list that it stands in: `jwt[0].issuer`; empty for the file itself. */
  readonly path: string;
  readonly layout: Layout;
  /** Columns from the line's own indentation to the key: what a further line has to add. */
  readonly offset: number;
}

/** The name of a field, or the place where one may be written. */
export interface KeyPlace extends PlaceBase {
  readonly kind: 'key';
  readonly struct: StructName;
  /** The name as far as it is written, without quotes; empty on an empty line. */
  readonly written: Span;
  readonly name: string;
  readonly quoted: boolean;
  readonly hasColon: boolean;
  /** Names that the struct has already, the one at the place left out. */
  readonly present: ReadonlySet<string>;
}

/** The value of a field that holds no fields of its own, or one of a list of such values. */
export interface ValuePlace extends PlaceBase {
  readonly kind: 'value';
  readonly struct: StructName;
  readonly row: FieldRow;
  /** Of the value itself: for an entry of a list the type of the entry. */
  readonly type: FieldType;
  readonly scalar: LooseScalar;
  /** Values of the other entries of the same list, and the other texts of the same struct, by name. */
  readonly siblings: ReadonlyMap<string, string>;
}

/** Where a list in block layout may get another entry. */
export interface ItemPlace extends PlaceBase {
  readonly kind: 'item';
  readonly row: FieldRow;
  readonly type: FieldType;
  /** What stands there of the dash. */
  readonly written: Span;
}

/** Behind the colon of a field that holds fields or a list, on the same line. */
export interface OpenPlace extends PlaceBase {
  readonly kind: 'open';
  readonly row: FieldRow;
  readonly type: FieldType;
  readonly written: Span;
}

export type ConfigPlace = KeyPlace | ValuePlace | ItemPlace | OpenPlace;

/** A place in the types of the file: what the parts below it belong to. */
export interface TypedPath {
  readonly path: string;
  readonly type: FieldType;
  /** Struct and row of the nearest field; absent for the file itself. */
  readonly owner: { readonly struct: StructName; readonly row: FieldRow } | undefined;
}
