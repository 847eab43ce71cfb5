/** The parts of the identity that an authenticator gives, by the mappings that make them. */
import type { DataNode } from '../documents/yaml/data.ts';
import type { Span } from '../source/span.ts';
import type { AuthenticationConfiguration, ClaimMappingsConfig } from './configuration.ts';

/** The name of a mapping as it stands in the file. */
export interface MappingKey {
  /** Index of the authenticator. */
  readonly authenticator: number;
  /** `username`, `extra[1]` */
  readonly mapping: string;
  readonly span: Span;
}

/**
 * The mapping that makes a part of `user`: `["extra", "team.example/unit"]` is made by `extra[0]`.
 * `undefined` where no mapping does, and for what is less or more than one part.
 */
export const mappingOfUserPart = (
  { extra }: ClaimMappingsConfig,
  path: readonly (string | undefined)[],
): string | undefined => {
  const [field, key] = path;
  if (field === undefined || path.length !== (field === 'extra' ? 2 : 1)) return undefined;
  if (field !== 'extra') return plainMappings.includes(field) ? field : undefined;
  const index = extra.findIndex((mapping) => mapping.key?.value === key);
  return index === -1 ? undefined : `extra[${index}]`;
};

const plainMappings: readonly string[] = ['username', 'groups', 'uid'];

/** Keys of mappings, and those of `extra`, whose values user validation rules may read. */
export const mappingKeysOf = (
  { jwt }: AuthenticationConfiguration,
  data: DataNode | undefined,
): readonly MappingKey[] =>
  jwt.flatMap(({ claimMappings }, authenticator) => [
    ...plainKeys(data, authenticator),
    ...claimMappings.extra.flatMap(({ key }, index) =>
      key === undefined ? [] : [{ authenticator, mapping: `extra[${index}]`, span: key.span }],
    ),
  ]);

const plainKeys = (data: DataNode | undefined, authenticator: number): readonly MappingKey[] => {
  const entries = memberOf(data, 'jwt');
  const entry = entries?.kind === 'array' ? entries.items[authenticator] : undefined;
  const mappings = memberOf(entry, 'claimMappings');
  if (mappings?.kind !== 'object') return [];
  return plainMappings.flatMap((mapping) => {
    const found = mappings.byKey.get(mapping);
    return found === undefined ? [] : [{ authenticator, mapping, span: found.keySpan }];
  });
};

const memberOf = (node: DataNode | undefined, name: string): DataNode | undefined =>
  node?.kind === 'object' ? node.byKey.get(name)?.value : undefined;
