/** Writes tables of fields as JSON Schema, draft-07. */
import { maxRowItems, type Row, type RowType } from '../../engine/src/config/rows/row.ts';

/** Returns the schema of a `custom` type. */
export type CustomSchema = (id: string) => object;

const noCustom: CustomSchema = (id) => {
  throw new Error(`no schema for the type ${id}`);
};

/** Returns the schema of a map. */
export const mapSchema = (
  rows: readonly Row[],
  {
    type = 'object',
    custom = noCustom,
  }: { readonly type?: unknown; readonly custom?: CustomSchema },
): object => {
  const required = rows.flatMap((row) => (row.required === true ? [row.name] : []));
  return {
    type,
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      rows.map((row) => [row.name, { description: row.doc, ...schemaOf(row.type, custom) }]),
    ),
  };
};

const schemaOf = (type: RowType, custom: CustomSchema): object => {
  switch (type.kind) {
    case 'choice':
      return { enum: type.values };
    case 'string':
      return {
        type: 'string',
        ...(type.mayBeEmpty === true ? {} : { minLength: 1 }),
        ...(type.pattern === undefined ? {} : { pattern: type.pattern.source }),
        ...(type.suggestions === undefined ? {} : { examples: type.suggestions }),
      };
    case 'int':
      return { type: 'integer', minimum: type.least, maximum: type.most };
    case 'bool':
      return { type: 'boolean' };
    case 'data':
      return { type: 'object' };
    case 'list':
      return {
        type: 'array',
        maxItems: type.most ?? maxRowItems,
        items: schemaOf(type.item, custom),
      };
    case 'names':
      return { type: 'object', additionalProperties: schemaOf(type.value, custom) };
    case 'map':
      return mapSchema(type.rows, { custom });
    case 'either':
      return { anyOf: type.types.map((one) => schemaOf(one, custom)) };
    case 'custom':
      return custom(type.id);
  }
};
