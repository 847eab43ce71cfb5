/**
 * Tables of fields of AuthGraph's own files (`.authgraph.yaml`, `*.authtest.yaml`). The reader, the
 * JSON Schema, the documentation and the editor use the same table.
 */

/** The type of a field. `custom` types are read by the owner of the table. */
export type RowType =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | {
      readonly kind: 'string';
      /** A regular expression for the JSON Schema, which `problem` checks too. */
      readonly pattern?: RegExp;
      /** Whether the string may be empty. */
      readonly mayBeEmpty?: true;
      /** Returns what is wrong with a string that is not empty. */
      readonly problem?: (text: string) => string | undefined;
      /** Values that an editor offers. */
      readonly suggestions?: readonly string[];
    }
  | { readonly kind: 'int'; readonly least: number; readonly most: number }
  | { readonly kind: 'bool' }
  /** A map with any content, such as claims. */
  | { readonly kind: 'data' }
  | {
      readonly kind: 'list';
      readonly item: RowType;
      /** The most items; `maxRowItems` if absent. */
      readonly most?: number;
    }
  /** A map with any names, whose values have one type. */
  | { readonly kind: 'names'; readonly value: RowType }
  | { readonly kind: 'map'; readonly rows: readonly Row[] }
  /** The first type that fits the kind of the value: a scalar, a list or a map. */
  | {
      readonly kind: 'either';
      readonly types: readonly RowType[];
      /** The forms of the value, for messages; the kinds of the types if absent. */
      readonly forms?: string;
    }
  | { readonly kind: 'custom'; readonly id: string };

/** A field. */
export interface Row {
  readonly name: string;
  readonly doc: string;
  readonly type: RowType;
  readonly required?: true;
}

/** Items of a list that has no limit of its own. */
export const maxRowItems = 1000;
