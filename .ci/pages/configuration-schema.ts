/** Writes docs/schema/authenticationconfiguration.json, a JSON schema of the configuration for other editors. */
import { configurationDocs } from '../../engine/src/config/documentation.ts';
import {
  type FieldRow,
  type FieldType,
  type StructName,
  schema,
} from '../../engine/src/config/schema.ts';
import { versionsAt } from '../../engine/src/config/skeletons.ts';
import { newestRelease, releaseName } from '../../engine/src/model/release.ts';

/**
 * Returns a JSON schema, draft-07. It accepts every valid configuration, and many that the server
 * rejects.
 */
export const configurationSchema = (): string =>
  `${printedSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'AuthenticationConfiguration',
    description: `Generated from the field table of AuthGraph; \`authgraph check\` reports more errors. ${configurationDocs}`,
    ...reference('AuthenticationConfiguration'),
    definitions: Object.fromEntries([...schema].map(([name, rows]) => [name, struct(name, rows)])),
  })}\n`;

const struct = (name: StructName, rows: readonly FieldRow[]): object => {
  const required = rows.filter(isDemanded).map(({ name }) => name);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(rows.map((row) => [row.name, field(row)])),
    ...(exclusive.get(name) ?? {}),
  };
};

/** A required field of which the default is used without an error may be absent. */
const isDemanded = ({ required, absent }: FieldRow): boolean =>
  required && absent.endsWith('rejected');

const field = (row: FieldRow): object => {
  const { doc, absent, since, required, type, name } = row;
  const description = [
    doc,
    `${required ? 'Required' : 'Optional'}. If absent: ${absent}.`,
    ...(since === undefined ? [] : [`Since ${releaseName(since)}.`]),
  ].join('\n');
  return { description, ...typeOf(type, { required }), ...(more.get(name) ?? {}) };
};

const typeOf = (type: FieldType, { required }: { readonly required: boolean }): object => {
  const named = (name: string): string | readonly string[] => (required ? name : [name, 'null']);
  switch (type.kind) {
    case 'bool':
      return { type: named('boolean') };
    case 'struct':
      return required
        ? reference(type.struct)
        : { anyOf: [...reference(type.struct).allOf, { type: 'null' }] };
    case 'list':
      return { type: named('array'), items: typeOf(type.item, { required: true }) };
    case 'string':
      if (type.values === undefined) return { type: named('string') };
      return { enum: [...type.values, ...(required ? [] : ['', null])] };
  }
};

/** This draft ignores all members next to a `$ref`. */
const reference = (name: StructName): { readonly allOf: readonly object[] } => ({
  allOf: [{ $ref: `#/definitions/${name}` }],
});

/** Constraints of single fields in addition to their types. */
const more: ReadonlyMap<string, object> = new Map<string, object>([
  ['apiVersion', { enum: versionsAt(newestRelease) }],
  ['kind', { const: 'AuthenticationConfiguration' }],
  ['jwt', { maxItems: 64 }],
  ['url', { pattern: '^[Hh][Tt][Tt][Pp][Ss]:' }],
]);

const written = { type: 'string', minLength: 1 };

const notBoth = (one: string, other: string): object => ({
  required: [one, other],
  properties: { [one]: written, [other]: written },
});

/** Structs with two fields of which only one may be non-empty. */
const exclusive: ReadonlyMap<StructName, object> = new Map([
  ['PrefixedClaimOrExpression', { not: notBoth('claim', 'expression') }],
  ['ClaimOrExpression', { not: notBoth('claim', 'expression') }],
  ['ClaimValidationRule', { not: notBoth('claim', 'expression') }],
]);

/** Prints a schema like the formatter of the repository, with short lists on one line. */
export const printedSchema = (data: unknown): string =>
  JSON.stringify(data, undefined, 2).replace(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (list, inner: string) => {
      const line = `[${inner.replaceAll(/,\n\s+/g, ', ')}]`;
      return line.length <= mostColumns ? line : list;
    },
  );

/** The width of a line after its indentation and name. */
const mostColumns = 72;
