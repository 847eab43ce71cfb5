/** Validates outputs with the part of JSON Schema that the schemas in docs/schema use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Schema = Readonly<Record<string, unknown>>;

const folder = join(import.meta.dirname, '../../docs/schema');

/** Validates against the schema of that name; returns paths and reasons, none for valid data. */
export const schemaErrors = (name: string, data: unknown): readonly string[] => {
  const schema: Schema = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  return errorsAt(schema, data, { root: schema, path: '$' });
};

interface Context {
  readonly root: Schema;
  readonly path: string;
}

const known = new Set([
  '$schema',
  '$defs',
  '$ref',
  'title',
  'description',
  'type',
  'const',
  'enum',
  'pattern',
  'minimum',
  'format',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'oneOf',
  'allOf',
  'anyOf',
  'not',
  'definitions',
  'minLength',
  'minItems',
  'maxItems',
]);

const errorsAt = (schema: Schema, data: unknown, context: Context): readonly string[] => {
  const { root, path } = context;
  const errors: string[] = [];
  const say = (reason: string) => errors.push(`${path}: ${reason}`);
  for (const word of Object.keys(schema)) if (!known.has(word)) say(`unknown keyword ${word}`);
  const reference = schema.$ref;
  if (typeof reference === 'string') {
    const name = reference.replace(/^#\/(?:\$defs|definitions)\//, '');
    const definitions = (root.$defs ?? root.definitions) as Record<string, Schema> | undefined;
    const target = definitions?.[name];
    return target === undefined ? [`${path}: no ${reference}`] : errorsAt(target, data, context);
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(data, String(type))))
    say(`is ${JSON.stringify(data)}, not ${types.join(' or ')}`);
  if ('const' in schema && schema.const !== data) say(`is not ${schema.const}`);
  const values = schema.enum;
  if (Array.isArray(values) && !values.includes(data)) say(`${JSON.stringify(data)} is not listed`);
  if (typeof data === 'string') {
    const { pattern, format } = schema;
    if (typeof pattern === 'string' && !new RegExp(pattern).test(data)) say('does not match');
    if (format === 'uri' && !URL.canParse(data)) say('is no URI');
    if (data.length < Number(schema.minLength ?? 0)) say('is too short');
  }
  if (typeof data === 'number' && Number(schema.minimum ?? data) > data) say('is too small');
  if (Array.isArray(data)) {
    const items = schema.items as Schema | undefined;
    if (data.length < Number(schema.minItems ?? 0)) say('has too few items');
    if (data.length > Number(schema.maxItems ?? data.length)) say('has too many items');
    if (items !== undefined)
      data.forEach((item, at) => {
        errors.push(...errorsAt(items, item, { root, path: `${path}[${at}]` }));
      });
  } else if (typeof data === 'object' && data !== null)
    errors.push(...memberErrors(schema, data, context));
  const choices = schema.oneOf;
  if (Array.isArray(choices)) {
    const fitting = choices.filter((choice) => errorsAt(choice, data, context).length === 0);
    if (fitting.length !== 1) say(`fits ${fitting.length} of ${choices.length} forms`);
  }
  const fits = (choice: Schema): boolean => errorsAt(choice, data, context).length === 0;
  for (const part of (schema.allOf ?? []) as Schema[])
    errors.push(...errorsAt(part, data, context));
  const some = schema.anyOf as Schema[] | undefined;
  if (some !== undefined && !some.some(fits)) say(`fits none of ${some.length} forms`);
  if (schema.not !== undefined && fits(schema.not as Schema)) say('has what it must not have');
  return errors;
};

const memberErrors = (schema: Schema, data: object, { root, path }: Context): readonly string[] => {
  const errors: string[] = [];
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  for (const name of (schema.required ?? []) as string[])
    if (!Object.hasOwn(data, name)) errors.push(`${path}: lacks ${name}`);
  for (const [name, value] of Object.entries(data)) {
    const inner = { root, path: `${path}.${name}` };
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const others = schema.additionalProperties;
    if (property !== undefined) errors.push(...errorsAt(property, value, inner));
    else if (others === false) errors.push(`${path}: unknown member ${name}`);
    else if (typeof others === 'object' && others !== null)
      errors.push(...errorsAt(others as Schema, value, inner));
  }
  return errors;
};

const hasType = (data: unknown, type: string): boolean => {
  if (type === 'null') return data === null;
  if (type === 'array') return Array.isArray(data);
  if (type === 'integer') return Number.isInteger(data);
  if (type === 'object') return typeof data === 'object' && data !== null && !Array.isArray(data);
  return typeof data === type;
};
