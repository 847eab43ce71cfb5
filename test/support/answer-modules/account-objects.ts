/** The stored objects of cases about service accounts. */
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import type { Lookup, ObjectView } from '../../../engine/src/ports/object-view.ts';
import { objectOf } from './json-objects.ts';

export interface AccountObjects {
  readonly serviceAccounts?: readonly object[] | null;
  readonly secrets?: readonly object[] | null;
  readonly pods?: readonly object[] | null;
  readonly nodes?: readonly object[] | null;
}

/** Creates a view of objects that do not change. */
export const accountView = (objects: AccountObjects): ObjectView => {
  const byResource = new Map<string, readonly JsonObject[]>([
    ['serviceaccounts', (objects.serviceAccounts ?? []).map(objectOf)],
    ['secrets', (objects.secrets ?? []).map(objectOf)],
    ['pods', (objects.pods ?? []).map(objectOf)],
    ['nodes', (objects.nodes ?? []).map(objectOf)],
  ]);
  return {
    find({ resource, namespace, name }): Lookup {
      const object = byResource
        .get(resource)
        ?.find(
          (candidate) =>
            textAt(candidate, 'metadata', 'name') === name &&
            (resource === 'nodes' || textAt(candidate, 'metadata', 'namespace') === namespace),
        );
      return object === undefined ? { kind: 'missing' } : { kind: 'found', object };
    },
    list: (resource) => byResource.get(resource),
    onChange: () => () => {},
    readiness: () => ({ isReady: true, reason: '' }),
  };
};

export const textAt = (object: JsonObject, ...path: readonly string[]): string => {
  let value: Json | undefined = object;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return typeof value === 'string' ? value : '';
};
