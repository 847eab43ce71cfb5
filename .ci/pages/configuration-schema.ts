/** docs/schema/authenticationconfiguration.json: the shape of the file for editors that are not ours. */
import { configurationDocs } from '../../engine/src/config/documentation.ts';
import {
  type FieldRow,
  type FieldType,
  type StructName,
  schema,
} from '../../engine/src/config/schema.ts';
import { versionsAt } from '../../engine/src/config/skeletons.ts';
import { newestRelease, releaseName } from '../../engine/src/model/release.ts';

/** JSON Schema, draft-07. What the server takes is valid; it knows far more that is wrong. */
export const configurationSchema = (): string =>
  `${printed({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'AuthenticationConfiguration',
    description: `Made from the table of fields; \`authgraph check\` says more. ${configurationDocs}`,
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

/** Some fields say nothing when they are left out, and are left out without an error. */
const isDemanded = ({ required, absent }: FieldRow): boolean =>
  required && absent.endsWith('refused');

const field = (row: FieldRow): object => {
  const { doc, absent, since, required, type, name } = row;
  const description = [
    doc,
    `${required ? 'Required' : 'Optional'}; without it: ${absent}.`,
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

/** Beside a `$ref` itself nothing counts in this draft. */
const reference = (name: StructName): { readonly allOf: readonly object[] } => ({
  allOf: [{ $ref: `#/definitions/${name}` }],
});

/** What a type alone does not say. */
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

/** Pairs that refuse each other where neither is empty. */
const exclusive: ReadonlyMap<StructName, object> = new Map([
  ['PrefixedClaimOrExpression', { not: notBoth('claim', 'expression') }],
  ['ClaimOrExpression', { not: notBoth('claim', 'expression') }],
  ['ClaimValidationRule', { not: notBoth('claim', 'expression') }],
]);

/** As the formatter of the repository lays it out: lists of words on one line. */
const printed = (data: unknown): string =>
  JSON.stringify(data, undefined, 2).replace(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (list, inner: string) => {
      const line = `[${inner.replaceAll(/,\n\s+/g, ', ')}]`;
      return line.length <= mostColumns ? line : list;
    },
  );

/** What is left of a line behind its name and indentation. */
const mostColumns = 72;
