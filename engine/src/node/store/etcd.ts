/**
 * The store in etcd, for replicas that have no cluster API server beside them: one key an object, JSON
 * as value, etcd's own revisions. Reads are linearizable, a write compares the revision that was read.
 */
import { readJsonObject, writeJson } from '../../formats/json-object.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  type ObjectKey,
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
} from '../../ports/store.ts';
import { type EtcdMembers, etcdMembers } from './etcd-members.ts';
import {
  compareAndDelete,
  compareAndPut,
  type EtcdEntry,
  endOf,
  rangeRequest,
  readRange,
  readTransaction,
} from './etcd-messages.ts';
import { watchEtcd } from './etcd-watch.ts';
import type { TlsMaterial } from './grpc.ts';
import { maxPageObjects, maxRaces } from './limits.ts';
import { keyOfPath, pathOf } from './object-path.ts';
import {
  checkPreconditions,
  existsError,
  isUnchanged,
  missingError,
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

const rangeMethod = '/etcdserverpb.KV/Range';
const transactionMethod = '/etcdserverpb.KV/Txn';

/** Connects with the first call; a cluster that is down now may come back later. */
export const etcdStore = ({ endpoints, prefix, readTls }: EtcdSettings): Store => {
  const members = etcdMembers(endpoints, readTls);
  const closed = new AbortController();
  const folderOf = (resource: string): string => `${prefix}/${resource}/`;
  const nameOf = (key: ObjectKey): string => `${folderOf(key.resource)}${pathOf(key)}`;

  const get = async (key: ObjectKey): Promise<StoredObject | undefined> => {
    const { entries } = readRange(
      await members.read(rangeMethod, rangeRequest({ from: nameOf(key) })),
    );
    const [entry] = entries;
    return entry === undefined ? undefined : objectOfEntry(key, entry);
  };
  /** Looks, judges, and writes if nobody wrote meanwhile; otherwise looks again. */
  const change = async (
    key: ObjectKey,
    only: Preconditions | undefined,
    write: (before: StoredObject) => Uint8Array | undefined,
  ): Promise<{ readonly before: StoredObject; readonly revision: string }> => {
    for (let race = 0; race < maxRaces; race += 1) {
      const before = await get(key);
      if (before === undefined) throw missingError(key);
      checkPreconditions(only, { uid: uidOf(before.object), revision: before.revision });
      const message = write(before);
      if (message === undefined) return { before, revision: before.revision };
      const done = readTransaction(await members.write(transactionMethod, message));
      if (done.succeeded) return { before, revision: String(done.revision) };
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
        folder: folderOf(resource),
        within: namespace === undefined ? folderOf(resource) : `${folderOf(resource)}${namespace}/`,
      }),
    watch: (resource, after, signal) =>
      watchEtcd({
        members,
        folder: folderOf(resource),
        after,
        signal: AbortSignal.any([signal, closed.signal]),
        objectOf: (entry, path) => objectOfEntry(keyOfPath(resource, path), entry),
      }),
    async create(key, object) {
      const message = compareAndPut(nameOf(key), 0, writeJson(withoutRevision(object)));
      const done = readTransaction(await members.write(transactionMethod, message));
      if (!done.succeeded) throw existsError(key);
      return storedObject(key, String(done.revision), object);
    },
    async update(key, object, only) {
      const body = writeJson(withoutRevision(object));
      const { before, revision } = await change(key, only, (last) =>
        isUnchanged(last.object, object)
          ? undefined
          : compareAndPut(nameOf(key), Number(last.revision), body),
      );
      return revision === before.revision ? before : storedObject(key, revision, object);
    },
    async delete(key, only) {
      const { before, revision } = await change(key, only, (last) =>
        compareAndDelete(nameOf(key), Number(last.revision)),
      );
      return storedObject(key, revision, before.object);
    },
    async close() {
      closed.abort();
      members.close();
    },
  };
};

interface Folder {
  /** Of the resource: what follows is the path. */
  readonly folder: string;
  /** Only names that begin so. */
  readonly within: string;
}

/** All pages at the revision of the first one. */
const listPages = async (members: EtcdMembers, resource: string, { folder, within }: Folder) => {
  const objects: StoredObject[] = [];
  const to = endOf(within);
  let from = within;
  let revision = 0;
  for (;;) {
    const message = rangeRequest({ from, to, limit: maxPageObjects, revision });
    const page = readRange(await members.read(rangeMethod, message));
    // Later pages tell a later revision, but show the first one's.
    if (revision === 0) revision = page.revision;
    for (const entry of page.entries) {
      objects.push(objectOfEntry(keyOfPath(resource, entry.name.slice(folder.length)), entry));
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return { objects, revision: String(revision) };
    from = `${last.name}\0`;
  }
};

const objectOfEntry = (key: ObjectKey, { revision, value }: EtcdEntry): StoredObject =>
  storedObject(key, String(revision), bodyOf(value));

const bodyOf = (value: Uint8Array): JsonObject => {
  const object = readJsonObject(Buffer.from(value).toString());
  if (object === undefined) throw new StoreError('unavailable', 'etcd holds a broken object');
  return object;
};
