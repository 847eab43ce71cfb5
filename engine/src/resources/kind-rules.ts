/**
 * The rules of a kind: its shape, and how its objects are prepared and validated before they are
 * stored.
 */
import type { StructShape } from '../formats/go-struct/shape.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { FieldError } from './field-error.ts';
import type { KindRow } from './kinds.ts';
import { validateKindMetadataUpdate } from './metadata.ts';

/** A column of the table that clients print. */
export interface TableColumn {
  readonly name: string;
  readonly description: string;
  readonly format?: 'name';
  /** Type of the column; `string` if absent. */
  readonly type?: 'date';
  /** 1 for a column that only wide tables show. */
  readonly priority?: 1;
}

/** Rules of one kind. */
export interface KindRules {
  readonly row: KindRow;
  readonly shape: StructShape;
  /** Description in the OpenAPI document. */
  readonly description: string;
  /** Whether a PUT creates an object that does not exist. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether the response to a deletion is the object instead of a Status. */
  readonly returnDeletedObject: boolean;
  /** Members that a write of the object cannot change, so that no field manager owns them by it. */
  readonly resetFields: readonly string[];
  /** Fields that selectors may use in addition to name and namespace, with their values. */
  readonly selectableFields: (object: JsonObject) => ReadonlyMap<string, string>;
  readonly columns: readonly TableColumn[];
  /** Returns the cells of a row, in the order of the columns; `age` is already formatted. */
  readonly cells: (object: JsonObject, age: string) => readonly Json[];
  /** Applies defaults whenever an object is read from a request. */
  readonly applyDefaults: (object: JsonObject) => JsonObject;
  /** Prepares an object for its creation, before it is validated. */
  readonly prepareForCreate: (object: JsonObject) => JsonObject;
  readonly prepareForUpdate: (object: JsonObject, old: JsonObject) => JsonObject;
  readonly validate: (object: JsonObject) => readonly FieldError[];
  /** Validates a new object in addition to `validate`. */
  readonly validateCreate: (object: JsonObject) => readonly FieldError[];
  /** Validates an object that replaces another one; `validate` is not called in addition. */
  readonly validateUpdate: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  readonly warnings: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
}

const unchanged = (object: JsonObject): JsonObject => object;

/** Completes the rules with the defaults that most kinds share. */
export const kindRules = (
  rules: Pick<KindRules, 'row' | 'shape' | 'description' | 'columns' | 'cells' | 'validate'> &
    Partial<KindRules>,
): KindRules => ({
  allowCreateOnUpdate: false,
  returnDeletedObject: false,
  resetFields: [],
  selectableFields: () => new Map(),
  applyDefaults: unchanged,
  prepareForCreate: unchanged,
  prepareForUpdate: unchanged,
  validateCreate: () => [],
  validateUpdate: (object, old) => [
    ...rules.validate(object),
    ...validateKindMetadataUpdate(object, old),
  ],
  warnings: () => [],
  ...rules,
});
