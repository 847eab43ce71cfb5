/** What one kind of object is: its shape, and what happens to it on its way into the store. */
import type { Json, JsonObject } from '../model/json.ts';
import type { FieldError } from './field-error.ts';
import type { KindRow } from './kinds.ts';
import type { StructShape } from './shape.ts';

/** A column of the table that clients print. */
export interface TableColumn {
  readonly name: string;
  readonly description: string;
  readonly format?: 'name';
  /** `string` where absent. */
  readonly type?: 'date';
  /** 1: shown in wide tables only. */
  readonly priority?: 1;
}

/** The rules of one kind. */
export interface KindRules {
  readonly row: KindRow;
  readonly shape: StructShape;
  /** One sentence for the schema that clients ask for. */
  readonly description: string;
  /** A PUT of an object that is not there makes it. */
  readonly allowCreateOnUpdate: boolean;
  /** The answer to a deletion is the object, not a Status. */
  readonly returnDeletedObject: boolean;
  /** Members that a write of the object can't change, so that nobody owns them by it. */
  readonly resetFields: readonly string[];
  /** Fields beside name and namespace that selectors may name, with their values. */
  readonly selectableFields: (object: JsonObject) => ReadonlyMap<string, string>;
  readonly columns: readonly TableColumn[];
  /** The cells of a row, in the order of the columns; `age` is ready-made. */
  readonly cells: (object: JsonObject, age: string) => readonly Json[];
  /** What is filled in whenever an object is read from a request. */
  readonly applyDefaults: (object: JsonObject) => JsonObject;
  /** Before an object is judged that is to be made. */
  readonly prepareForCreate: (object: JsonObject) => JsonObject;
  readonly prepareForUpdate: (object: JsonObject, old: JsonObject) => JsonObject;
  readonly validate: (object: JsonObject) => readonly FieldError[];
  /** Beside `problems`, of objects that are to be made. */
  readonly validateCreate: (object: JsonObject) => readonly FieldError[];
  /** All problems of an object that is to take the place of another; `problems` is not asked then. */
  readonly validateUpdate: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  readonly warnings: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
}

const unchanged = (object: JsonObject): JsonObject => object;

/** Rules with what most kinds have in common. */
export const kindRules = (
  rules: Pick<
    KindRules,
    'row' | 'shape' | 'description' | 'columns' | 'cells' | 'validate' | 'validateUpdate'
  > &
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
  warnings: () => [],
  ...rules,
});
