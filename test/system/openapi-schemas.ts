/** JSON Schemas for kubeconform, from the OpenAPI documents of a kube-apiserver: its own kinds and those of CRDs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Schema = Readonly<Record<string, unknown>>;

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the pattern by which kubeconform finds a schema; core kinds have their version in the place of the group. */
export const schemaLocation = (folder: string): string =>
  join(folder, '{{ .Group }}/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json');

/** Writes a schema for each kind of the documents of `paths`, such as `apis/apps/v1`. */
export const writeSchemas = async (
  folder: string,
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<void> => {
  for (const path of paths) {
    const { components } = JSON.parse(await read(`/openapi/v3/${path}`));
    const schemas = Object.fromEntries(
      Object.entries<Schema>(components.schemas).map(([name, schema]) => [name, closed(schema)]),
    );
    for (const [name, schema] of Object.entries<Schema>(components.schemas)) {
      for (const { group, version, kind } of kindsOf(schema)) {
        const place = join(folder, group === '' ? version : group);
        mkdirSync(place, { recursive: true });
        writeFileSync(
          join(place, `${kind.toLowerCase()}_${version}.json`),
          JSON.stringify({ $ref: `#/components/schemas/${name}`, components: { schemas } }),
        );
      }
    }
  }
};

const kindsOf = (schema: Schema): readonly Kind[] =>
  Array.isArray(schema['x-kubernetes-group-version-kind'])
    ? schema['x-kubernetes-group-version-kind']
    : [];

/** Rejects unknown fields, which the documents leave to the server. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  const isOpen =
    typeof copy.properties !== 'object' ||
    copy.additionalProperties !== undefined ||
    copy['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? copy : { ...copy, additionalProperties: false };
};
