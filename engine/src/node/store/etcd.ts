/**
 * The store in etcd, for replicas without a cluster API server: one key per object, JSON as the
 * value, and etcd's own revisions. Reads are linearizable, and a write compares the revision that
 * was read.
 */
import { readJsonMap, writeJson } from '../../formats/json-as-maps.ts';
import type { JsonObject } from '../../model/json.ts';
import { type ObjectKey, type Store, type StoredObject, StoreError } from '../../ports/store.ts';
import type { KeyValue } from './etcd_pb.ts';
import type { TlsMaterial, TxnRequestInit } from './etcd-member.ts';
import { type EtcdMembers, etcdMembers } from './etcd-members.ts';
import {
  compareAndDelete,
  compareAndPut,
  type EtcdObject,
  nameOf,
  prefixRangeEnd,
  rangeRequest,
  revisionOf,
} from './etcd-messages.ts';
import { watchEtcd } from './etcd-watch.ts';
import { maxPageObjects } from './limits.ts';
import { keyOfPath, pathOf } from './object-path.ts';
import { optimisticWrites } from './optimistic-writes.ts';
import { existsError, parseEtcdRevision, storedObject, withoutRevision } from './stored-object.ts';

export interface EtcdSettings {
  /** `https://host:2379` */
  readonly endpoints: readonly string[];
  /** `/authgraph` */
  readonly prefix: string;
  readonly readTls: () => Promise<TlsMaterial>;
}

/**
 * Returns the store, which connects with the first call; a cluster that is down may come back
 * later.
 */
export const etcdStore = ({ endpoints, prefix, readTls }: EtcdSettings): Store => {
  const members = etcdMembers(endpoints, readTls);
  const closed = new AbortController();
  const prefixOf = (resource: string): string => `${prefix}/${resource}/`;
  const etcdKeyOf = (key: ObjectKey): string => `${prefixOf(key.resource)}${pathOf(key)}`;
  const objectIn =
    (resource: string) =>
    (pair: EtcdObject): StoredObject =>
      objectOf(keyOfPath(resource, nameOf(pair).slice(prefixOf(resource).length)), pair);

  const get = async (key: ObjectKey): Promise<StoredObject | undefined> => {
    const { kvs } = await members.range(rangeRequest({ from: etcdKeyOf(key) }));
    const [pair] = kvs;
    return pair === undefined ? undefined : objectOf(key, pair);
  };
  /** Returns the new revision; `undefined` if the object had another one. */
  const write = async (request: TxnRequestInit): Promise<string | undefined> => {
    const response = await members.txn(request);
    return response.succeeded ? String(revisionOf(response)) : undefined;
  };

  return {
    get,
    list: (resource, { namespace } = {}) =>
      listPages(
        members,
        namespace === undefined ? prefixOf(resource) : `${prefixOf(resource)}${namespace}/`,
        objectIn(resource),
      ),
    watch: (resource, after, signal) =>
      watchEtcd({
        members,
        prefix: prefixOf(resource),
        after,
        signal: AbortSignal.any([signal, closed.signal]),
        objectOf: objectIn(resource),
      }),
    async create(key, object) {
      const body = writeJson(withoutRevision(object));
      const revision = await write(compareAndPut(etcdKeyOf(key), 0n, body));
      if (revision === undefined) throw existsError(key);
      return storedObject(key, revision, object);
    },
    ...optimisticWrites(get, {
      replace: (key, body, seen) =>
        write(compareAndPut(etcdKeyOf(key), parseEtcdRevision(seen), body)),
      remove: (key, seen) => write(compareAndDelete(etcdKeyOf(key), parseEtcdRevision(seen))),
    }),
    async close() {
      closed.abort();
      members.close();
    },
  };
};

/** Reads all pages at the revision of the first one. */
const listPages = async (
  members: EtcdMembers,
  prefix: string,
  objectOf: (pair: KeyValue) => StoredObject,
) => {
  const objects: StoredObject[] = [];
  const to = prefixRangeEnd(prefix);
  let from = prefix;
  let revision = 0n;
  for (;;) {
    const page = await members.range(rangeRequest({ from, to, limit: maxPageObjects, revision }));
    // Later pages have a later revision in their header, but contain the entries at the first
    // revision.
    if (revision === 0n) revision = revisionOf(page);
    objects.push(...page.kvs.map(objectOf));
    const last = page.kvs.at(-1);
    if (!page.more || last === undefined) return { objects, revision: String(revision) };
    from = `${nameOf(last)}\0`;
  }
};

const objectOf = (key: ObjectKey, { modRevision, value }: EtcdObject): StoredObject =>
  storedObject(key, String(modRevision), bodyOf(value));

const bodyOf = (value: Uint8Array): JsonObject => {
  const object = readJsonMap(Buffer.from(value).toString());
  if (object === undefined) throw new StoreError('unavailable', 'etcd contains a malformed object');
  return object;
};
