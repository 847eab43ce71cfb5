/** The parts of a user, and the mappings that produce them. */
import type { DataNode } from '../documents/yaml/data.ts';
import type { Span } from '../source/span.ts';
import type { AuthenticationConfiguration, ClaimMappingsConfig } from './configuration.ts';

/** The key of a mapping in the file. */
export interface MappingKey {
  /** Index of the authenticator. */
  readonly authenticator: number;
  /** `username` or `extra[1]`, for example. */
  readonly mapping: string;
  readonly span: Span;
}

/**
 * Returns the mapping that produces a part of `user`: `extra[0]` for `["extra",
 * "team.example/unit"]`. It is `undefined` if no mapping does, and for a path that is not exactly
 * one part.
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

/**
 * Returns the keys of mappings, and those of `extra`, whose values user validation rules can read.
 */
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
