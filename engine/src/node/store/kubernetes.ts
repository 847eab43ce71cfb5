/**
 * The store in the API of a cluster: plain REST, list and watch. The cluster enforces its own rules
 * (admission, authorization, quota), and its rejections are passed on.
 */

import { readJsonMap, writeJson } from '../../formats/json-as-maps.ts';
import { rbacGroup } from '../../model/api-domain.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import {
  type ObjectKey,
  type ObjectList,
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
} from '../../ports/store.ts';
import { type KindRow, kinds } from '../../resources/kinds.ts';
import { listOf, objectAt, stringAt } from '../../resources/object-fields.ts';
import type { NodeHttpPeer } from '../http-peer.ts';
import { storeErrorOfStatus } from './kubernetes-status.ts';
import { watchKubernetes } from './kubernetes-watch.ts';
import {
  apiCallTimeoutMs,
  maxPageObjects,
  maxStoreResponseBytes,
  storeListTimeoutMs,
} from './limits.ts';
import { comparePaths, pathOf } from './object-path.ts';
import { withoutRevision } from './stored-object.ts';

export interface KubernetesSettings {
  readonly peer: NodeHttpPeer;
  /** Path before all API paths, without a trailing slash: empty, or the prefix of a gateway. */
  readonly basePath: string;
  /** Domain of the cluster's API groups: `k8s.io`. */
  readonly apiDomain: string;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  readonly timeoutMs?: number;
}

interface CallResponse {
  readonly status: number;
  readonly object: JsonObject;
}

/**
 * Returns the store, which connects with the first call; a cluster that is down may come back
 * later.
 */
export const kubernetesStore = ({ peer, basePath, apiDomain }: KubernetesSettings): Store => {
  const closed = new AbortController();

  const request = async (options: Call): Promise<CallResponse> => {
    if (closed.signal.aborted) throw new StoreError('unavailable', 'the store is closed');
    const response = await send(peer, basePath, options);
    const object = readJsonMap(Buffer.from(response.body).toString());
    if (response.status < 200 || response.status > 299)
      throw storeErrorOfStatus(response.status, object);
    if (object === undefined)
      throw new StoreError('unavailable', 'the response of the cluster is not JSON');
    return { status: response.status, object };
  };
  const call = async (options: Call): Promise<JsonObject> => (await request(options)).object;
  const get = async (key: ObjectKey): Promise<StoredObject | undefined> => {
    try {
      return objectOf(key, await call({ method: 'GET', path: objectPath(key, apiDomain) }));
    } catch (cause) {
      if (cause instanceof StoreError && cause.problem === 'missing') return undefined;
      throw cause;
    }
  };
  const listPages = async (resource: string, path: string): Promise<ObjectList> => {
    const row = kindOfResource(resource);
    const type = [
      ['apiVersion', apiVersionOf(row, apiDomain)],
      ['kind', row.kind],
    ] as const;
    const objects: StoredObject[] = [];
    const endsAt = performance.now() + storeListTimeoutMs;
    for (let next = ''; ; ) {
      const query = `?limit=${maxPageObjects}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
      const timeoutMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      const page = await call({ method: 'GET', path: `${path}${query}`, timeoutMs });
      const items = page.get('items');
      for (const item of listOf(items)) {
        if (!(item instanceof Map)) continue;
        const object: JsonObject = new Map<string, Json>([...type, ...item]);
        objects.push(objectOf(keyOf(resource, object), object));
      }
      next = stringAt(page, 'metadata', 'continue');
      if (next !== '') continue;
      objects.sort((left, right) => comparePaths(pathOf(left.key), pathOf(right.key)));
      return { objects, revision: stringAt(page, 'metadata', 'resourceVersion') };
    }
  };

  return {
    get,
    async list(resource, { namespace = '' } = {}) {
      const path = collectionPath(resource, namespace, apiDomain);
      try {
        return await listPages(resource, path);
      } catch (cause) {
        // The continue token has expired: the list starts again.
        if (!(cause instanceof StoreError) || cause.problem !== 'gone') throw cause;
        return await listPages(resource, path).catch((again: unknown) => {
          throw again instanceof StoreError && again.problem === 'gone'
            ? new StoreError('unavailable', again.message)
            : again;
        });
      }
    },
    watch: (resource, after, signal) =>
      watchKubernetes({
        peer,
        path: `${basePath}${collectionPath(resource, '', apiDomain)}`,
        after,
        signal: AbortSignal.any([signal, closed.signal]),
        objectOf: (object) => objectOf(keyOf(resource, object), object),
      }),
    async create(key, object) {
      const path = collectionPath(key.resource, key.namespace, apiDomain);
      try {
        return objectOf(key, await call({ method: 'POST', path, body: withoutRevision(object) }));
      } catch (cause) {
        // The namespace is missing, not the object.
        if (!(cause instanceof StoreError) || cause.problem !== 'missing') throw cause;
        throw new StoreError('refused', cause.message);
      }
    },
    async update(key, object, only) {
      const path = objectPath(key, apiDomain);
      return objectOf(
        key,
        await call({ method: 'PUT', path, body: withPreconditions(object, only) }),
      );
    },
    async delete(key, only) {
      const path = objectPath(key, apiDomain);
      const last = await call({ method: 'GET', path });
      await call({ method: 'DELETE', path, body: deleteOptions(preconditionOptions(only)) });
      return objectOf(key, last);
    },
    async requestDeletion({ key, object: last }, options) {
      const path = objectPath(key, apiDomain);
      const body = deleteOptions(options);
      const { status, object } = await request({ method: 'DELETE', path, body });
      if (stringAt(object, 'kind') === 'Status') return { kind: 'gone', object: last };
      return { kind: status === 202 ? 'accepted' : 'done', object };
    },
    async close() {
      closed.abort();
      await peer.close();
    },
  };
};

const send = async (
  peer: NodeHttpPeer,
  basePath: string,
  { method, path, body, timeoutMs = apiCallTimeoutMs }: Call,
): Promise<HttpResponse> => {
  try {
    return await peer.send({
      method,
      path: `${basePath}${path}`,
      headers: [
        { name: 'Accept', value: 'application/json' },
        ...(body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
      ],
      ...(body === undefined ? {} : { body: writeJson(body) }),
      timeoutMs,
      maxBytes: maxStoreResponseBytes,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'no connection';
    throw new StoreError('unavailable', `cannot reach the cluster: ${reason}`);
  }
};

const objectOf = (key: ObjectKey, object: JsonObject): StoredObject => ({
  key,
  revision: stringAt(object, 'metadata', 'resourceVersion'),
  object,
});

const keyOf = (resource: string, object: JsonObject): ObjectKey => ({
  resource,
  namespace: stringAt(object, 'metadata', 'namespace'),
  name: stringAt(object, 'metadata', 'name'),
});

/** Returns the object with the preconditions in its metadata, where the API expects them. */
const withPreconditions = (object: JsonObject, only: Preconditions | undefined): JsonObject => {
  const metadata = new Map(objectAt(object, 'metadata'));
  for (const [name, value] of [
    ['resourceVersion', only?.revision],
    ['uid', only?.uid],
  ] as const) {
    if (value === undefined) metadata.delete(name);
    else metadata.set(name, value);
  }
  return new Map([...object, ['metadata', metadata]]);
};

const preconditionOptions = (only: Preconditions | undefined): JsonObject => {
  const preconditions = new Map<string, Json>();
  if (only?.revision !== undefined) preconditions.set('resourceVersion', only.revision);
  if (only?.uid !== undefined) preconditions.set('uid', only.uid);
  return new Map(preconditions.size === 0 ? [] : [['preconditions', preconditions]]);
};

const deleteOptions = (options: JsonObject): JsonObject =>
  new Map<string, Json>([...options, ['kind', 'DeleteOptions'], ['apiVersion', 'v1']]);

/** Returns the row of a resource; throws for one that cannot be stored. */
const kindOfResource = (resource: string): KindRow => {
  const row = kinds.find((kind) => kind.resource === resource);
  if (row === undefined)
    throw new StoreError('refused', `unknown resource ${JSON.stringify(resource)}`);
  return row;
};

/** Returns `v1` or `rbac.authorization.k8s.io/v1`. */
const apiVersionOf = ({ group }: KindRow, domain: string): string =>
  group === '' ? 'v1' : `${rbacGroup(domain)}/v1`;

/**
 * Returns `/api/v1/namespaces/team/secrets`; the path for all namespaces if the namespace is empty.
 */
const collectionPath = (resource: string, namespace: string, domain: string): string => {
  const row = kindOfResource(resource);
  const root = row.group === '' ? '/api/v1' : `/apis/${apiVersionOf(row, domain)}`;
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${resource}`;
};

/** Returns `/api/v1/namespaces/team/secrets/key`. */
const objectPath = ({ resource, namespace, name }: ObjectKey, domain: string): string =>
  `${collectionPath(resource, namespace, domain)}/${encodeURIComponent(name)}`;
