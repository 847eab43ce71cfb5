/**
 * The store in etcd, for replicas without a cluster API server: one key per object, JSON as the
 * value, and etcd's own revisions. Reads are linearizable, and a write compares the revision that
 * was read.
 */
import { readJsonMap, writeJson } from '../../formats/json-as-maps.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  type ObjectKey,
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
} from '../../ports/store.ts';
import type { TlsMaterial, TxnRequestInit } from './etcd-member.ts';
import { type EtcdMembers, etcdMembers } from './etcd-members.ts';
import {
  compareAndDelete,
  compareAndPut,
  type EtcdEntry,
  entryOf,
  prefixRangeEnd,
  rangeRequest,
  revisionOf,
} from './etcd-messages.ts';
import { watchEtcd } from './etcd-watch.ts';
import { maxPageObjects, maxWriteAttempts } from './limits.ts';
import { keyOfPath, pathOf } from './object-path.ts';
import {
  checkPreconditions,
  existsError,
  isUnchanged,
  missingError,
  parseEtcdRevision,
  storedObject,
  uidOf,
  withoutRevision,
} from './stored-object.ts';

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
  const nameOf = (key: ObjectKey): string => `${prefixOf(key.resource)}${pathOf(key)}`;

  const get = async (key: ObjectKey): Promise<StoredObject | undefined> => {
    const { kvs } = await members.range(rangeRequest({ from: nameOf(key) }));
    const [pair] = kvs;
    return pair === undefined ? undefined : objectOfEntry(key, entryOf(pair));
  };
  /**
   * Reads the object, checks the preconditions, and writes if the object has not changed in the
   * meantime; otherwise starts again.
   */
  const guaranteedUpdate = async (
    key: ObjectKey,
    preconditions: Preconditions | undefined,
    write: (before: StoredObject) => TxnRequestInit | undefined,
  ): Promise<{ readonly before: StoredObject; readonly revision: string }> => {
    for (let attempt = 0; attempt < maxWriteAttempts; attempt += 1) {
      const before = await get(key);
      if (before === undefined) throw missingError(key);
      checkPreconditions(preconditions, { uid: uidOf(before.object), revision: before.revision });
      const request = write(before);
      if (request === undefined) return { before, revision: before.revision };
      const response = await members.txn(request);
      if (response.succeeded) return { before, revision: String(revisionOf(response)) };
    }
    throw new StoreError(
      'conflict',
      `${key.resource} ${JSON.stringify(pathOf(key))} keeps changing`,
    );
  };

  return {
    get,
    list: (resource, { namespace } = {}) =>
      listPages(members, resource, {
        resourcePrefix: prefixOf(resource),
        listPrefix:
          namespace === undefined ? prefixOf(resource) : `${prefixOf(resource)}${namespace}/`,
      }),
    watch: (resource, after, signal) =>
      watchEtcd({
        members,
        prefix: prefixOf(resource),
        after,
        signal: AbortSignal.any([signal, closed.signal]),
        objectOf: (entry, path) => objectOfEntry(keyOfPath(resource, path), entry),
      }),
    async create(key, object) {
      const body = writeJson(withoutRevision(object));
      const response = await members.txn(compareAndPut(nameOf(key), 0n, body));
      if (!response.succeeded) throw existsError(key);
      return storedObject(key, String(revisionOf(response)), object);
    },
    async update(key, object, preconditions) {
      const body = writeJson(withoutRevision(object));
      const { before, revision } = await guaranteedUpdate(key, preconditions, (last) =>
        isUnchanged(last.object, object)
          ? undefined
          : compareAndPut(nameOf(key), parseEtcdRevision(last.revision), body),
      );
      return revision === before.revision ? before : storedObject(key, revision, object);
    },
    async delete(key, preconditions) {
      const { before, revision } = await guaranteedUpdate(key, preconditions, (last) =>
        compareAndDelete(nameOf(key), parseEtcdRevision(last.revision)),
      );
      return storedObject(key, revision, before.object);
    },
    async close() {
      closed.abort();
      members.close();
    },
  };
};

interface ListRange {
  /** Prefix of the resource; the path of the object follows it. */
  readonly resourcePrefix: string;
  /** Prefix of the keys to list. */
  readonly listPrefix: string;
}

/** Reads all pages at the revision of the first one. */
const listPages = async (
  members: EtcdMembers,
  resource: string,
  { resourcePrefix, listPrefix }: ListRange,
) => {
  const objects: StoredObject[] = [];
  const to = prefixRangeEnd(listPrefix);
  let from = listPrefix;
  let revision = 0n;
  for (;;) {
    const page = await members.range(rangeRequest({ from, to, limit: maxPageObjects, revision }));
    // Later pages have a later revision in their header, but contain the entries at the first
    // revision.
    if (revision === 0n) revision = revisionOf(page);
    const entries = page.kvs.map(entryOf);
    for (const entry of entries) {
      objects.push(
        objectOfEntry(keyOfPath(resource, entry.name.slice(resourcePrefix.length)), entry),
      );
    }
    const last = entries.at(-1);
    if (!page.more || last === undefined) return { objects, revision: String(revision) };
    from = `${last.name}\0`;
  }
};

const objectOfEntry = (key: ObjectKey, { revision, value }: EtcdEntry): StoredObject =>
  storedObject(key, String(revision), bodyOf(value));

const bodyOf = (value: Uint8Array): JsonObject => {
  const object = readJsonMap(Buffer.from(value).toString());
  if (object === undefined) throw new StoreError('unavailable', 'etcd contains a malformed object');
  return object;
};
