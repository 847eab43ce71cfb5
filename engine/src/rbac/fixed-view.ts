/**
 * A view of objects that are not in a store: those of files, and the bootstrap roles of a server
 * without a store.
 */
import type { JsonObject } from '../model/json.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { stringOf } from '../resources/object-fields.ts';
import { readName } from './role-objects.ts';

export interface FixedView extends ObjectView {
  /** Replaces all objects. */
  replace(objects: readonly JsonObject[]): void;
}

/** Returns a view that finds objects by kind; the kinds are those of roles and bindings. */
export const fixedView = (initial: readonly JsonObject[]): FixedView => {
  let lists = listsOf(initial);
  let generation = 1;
  const list = (resource: string, namespace?: string): readonly JsonObject[] => {
    const all = lists.get(resource) ?? [];
    return namespace === undefined
      ? all
      : all.filter((object) => readName(object).namespace === namespace);
  };
  const listeners = new Set<{ readonly resource: string; readonly listener: Listener }>();
  return {
    list,
    generation: () => generation,
    readiness: () => ready,
    find({ resource, namespace, name }) {
      const object = list(resource).find((candidate) => {
        const found = readName(candidate);
        return found.name === name && found.namespace === namespace;
      });
      return object === undefined ? { kind: 'missing' } : { kind: 'found', object };
    },
    onChange(resource, listener) {
      const entry = { resource, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    replace(objects) {
      const before = lists;
      lists = listsOf(objects);
      generation += 1;
      for (const { resource, listener } of listeners) {
        const now = lists.get(resource) ?? [];
        for (const object of before.get(resource) ?? []) {
          if (!now.some((other) => isSame(other, object))) listener({ kind: 'deleted', object });
        }
        for (const object of now) listener({ kind: 'put', object });
      }
    },
  };
};

type Listener = Parameters<ObjectView['onChange']>[1];

const ready = { ready: true, reason: '' };

/** Returns `clusterroles` for `ClusterRole`. */
export const resourceOfKind = (kind: string): string => `${kind.toLowerCase()}s`;

const listsOf = (objects: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> => {
  const byResource = Map.groupBy(objects, (object) => resourceOfKind(stringOf(object.get('kind'))));
  return new Map([...byResource].map(([resource, some]) => [resource, some.toSorted(byKey)]));
};

const keyOf = (object: JsonObject): string => {
  const { namespace, name } = readName(object);
  return `${namespace}/${name}`;
};

const byKey = (left: JsonObject, right: JsonObject): number => {
  const [one, other] = [keyOf(left), keyOf(right)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const isSame = (left: JsonObject, right: JsonObject): boolean => {
  const [one, other] = [readName(left), readName(right)];
  return one.name === other.name && one.namespace === other.namespace;
};
