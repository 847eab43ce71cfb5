/**
 * A view of objects that are not in a store: those of files, and the bootstrap roles of a server
 * without a store.
 */
import type { JsonObject } from '../model/json.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { stringOf } from '../resources/object-fields.ts';
import { readName } from './role-objects.ts';

/** Returns a view that finds objects by kind; the kinds are those of roles and bindings. */
export const fixedView = (objects: readonly JsonObject[]): ObjectView => {
  const lists = listsOf(objects);
  const list = (resource: string, namespace?: string): readonly JsonObject[] => {
    const { all, byNamespace } = lists.get(resource) ?? noLists;
    return namespace === undefined ? all : (byNamespace.get(namespace) ?? noLists.all);
  };
  return {
    list,
    readiness: () => ready,
    find({ resource, namespace, name }) {
      const object = list(resource).find((candidate) => {
        const metadata = readName(candidate);
        return metadata.name === name && metadata.namespace === namespace;
      });
      return object === undefined ? { kind: 'missing' } : { kind: 'found', object };
    },
    onChange: () => () => {},
  };
};

const ready = { isReady: true, reason: '' };

/** Returns `clusterroles` for `ClusterRole`. */
export const resourceOfKind = (kind: string): string => `${kind.toLowerCase()}s`;

interface Lists {
  readonly all: readonly JsonObject[];
  readonly byNamespace: ReadonlyMap<string, readonly JsonObject[]>;
}

const noLists: Lists = { all: [], byNamespace: new Map() };

const listsOf = (objects: readonly JsonObject[]): ReadonlyMap<string, Lists> => {
  const byResource = Map.groupBy(objects, (object) => resourceOfKind(stringOf(object.get('kind'))));
  return new Map(
    [...byResource].map(([resource, some]) => {
      const all = some.toSorted(byKey);
      return [resource, { all, byNamespace: Map.groupBy(all, (one) => readName(one).namespace) }];
    }),
  );
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
