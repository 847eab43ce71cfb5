/** Converts JSON data to the form of the store, and creates a view of it. */
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import type { Lookup, ObjectView } from '../../../engine/src/ports/object-view.ts';

export const jsonOf = (value: unknown): Json => {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value === 'object') {
    return new Map(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
  }
  return value as boolean | number | string;
};

export const objectOf = (value: object): JsonObject => jsonOf(value) as JsonObject;

const textOf = (object: JsonObject, name: string): string =>
  String((object.get('metadata') as JsonObject | undefined)?.get(name) ?? '');

/**
 * Creates a view of Secrets that do not change; `failure` is the store's error for every lookup.
 */
export const secretView = (secrets: readonly object[], failure?: string): ObjectView => {
  const objects = secrets.map(objectOf);
  return {
    find: ({ namespace, name }): Lookup => {
      if (failure !== undefined) return { kind: 'unavailable', reason: failure };
      const object = objects.find(
        (candidate) =>
          textOf(candidate, 'namespace') === namespace && textOf(candidate, 'name') === name,
      );
      return object === undefined ? { kind: 'missing' } : { kind: 'found', object };
    },
    list: (_resource, namespace) =>
      failure !== undefined
        ? undefined
        : objects.filter(
            (object) => namespace === undefined || textOf(object, 'namespace') === namespace,
          ),
    onChange: () => () => {},
    readiness: () => ({ isReady: failure === undefined, reason: failure ?? '' }),
  };
};
