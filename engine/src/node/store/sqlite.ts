/**
 * The embedded store: one file, no setup, crash-safe. The file is opened by a thread of its own
 * (`sqlite-thread.ts`); this side sends it requests and converts its rows to objects.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readJsonMap, writeJson } from '../../formats/json-as-maps.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type ObjectKey,
  type Store,
  type StoredObject,
  StoreError,
  type StoreEvent,
} from '../../ports/store.ts';
import { threadUrl } from '../thread-url.ts';
import { newChangeSignal } from './change-signal.ts';
import { keyOfPath, pathOf } from './object-path.ts';
import { optimisticWrites } from './optimistic-writes.ts';
import type { Database, Row, RowChange, SqliteSettings } from './sqlite-database.ts';
import {
  existsError,
  goneError,
  parseRevision,
  storedObject,
  withoutRevision,
} from './stored-object.ts';
import { type ChangeFeed, watchChanges } from './watch-changes.ts';

/** The calls that the thread supports. */
export type SqliteMethod = 'get' | 'list' | 'changes' | 'create' | 'update' | 'delete';

/** A request to the thread. */
export interface SqliteRequest<Method extends SqliteMethod = SqliteMethod> {
  readonly id: number;
  readonly method: Method;
  readonly args: Parameters<Database[Method]>;
}

/** A response of the thread. ID 0 reports that it has started, ID -1 that another process wrote. */
export interface SqliteResponse<T = unknown> {
  readonly id: number;
  readonly outcome:
    | { readonly kind: 'done'; readonly value: T }
    | { readonly kind: 'failed'; readonly message: string };
}

/** Rows that are converted without a pause, which takes about two milliseconds. */
const rowsPerTurn = 256;

/** Opens the store; rejects with a `StoreError` that says why the file cannot be used. */
export const sqliteStore = async (settings: SqliteSettings, clock: Clock): Promise<Store> => {
  const changeSignal = newChangeSignal(clock);
  const thread = startThread(settings, () => changeSignal.notify());
  await thread.opened;
  const closed = new AbortController();

  const get = async (key: ObjectKey): Promise<StoredObject | undefined> => {
    const row = await thread.call('get', key.resource, pathOf(key));
    return row === undefined ? undefined : objectOfRow(key.resource, row);
  };
  const feed: ChangeFeed = {
    clock,
    changeSignal,
    async changes(resource, after) {
      const read = await thread.call('changes', resource, parseRevision(after));
      if (read === undefined) throw goneError(after);
      const events = read.changes.map((change) => eventOfRow(resource, change));
      return { events, revision: String(read.revision), more: read.more };
    },
  };
  /** Notifies watches if something was written. */
  const revisionOf = (revision: number | undefined): string | undefined => {
    if (revision === undefined) return undefined;
    changeSignal.notify();
    return String(revision);
  };

  return {
    get,
    async list(resource, { namespace } = {}) {
      const { rows, revision } = await thread.call('list', resource, namespace);
      const objects: StoredObject[] = [];
      for (const [at, row] of rows.entries()) {
        // Long lists are converted in several turns, so that requests are handled in between.
        if (at % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
        objects.push(objectOfRow(resource, row));
      }
      return { objects, revision: String(revision) };
    },
    watch: (resource, after, signal) =>
      watchChanges(feed, resource, after, AbortSignal.any([signal, closed.signal])),
    async create(key, object) {
      const body = writeJson(withoutRevision(object));
      const revision = revisionOf(await thread.call('create', key.resource, pathOf(key), body));
      if (revision === undefined) throw existsError(key);
      return storedObject(key, revision, object);
    },
    ...optimisticWrites(get, {
      replace: async (key, body, seen) =>
        revisionOf(await thread.call('update', key.resource, pathOf(key), body, Number(seen))),
      remove: async (key, seen) =>
        revisionOf(await thread.call('delete', key.resource, pathOf(key), Number(seen))),
    }),
    async close() {
      closed.abort();
      await thread.close();
    },
  };
};

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (cause: StoreError) => void;
}

const startThread = (settings: SqliteSettings, onChange: () => void) => {
  const worker = new Worker(threadUrl('sqlite-thread', import.meta.url), { workerData: settings });
  const waiting = new Map<number, PendingCall>();
  let lastId = 0;
  let ended: StoreError | undefined;
  const wait = <T>(id: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // The thread keeps the process alive only while a call is pending.
      worker.ref();
    });
  const end = (message: string): void => {
    ended ??= new StoreError('unavailable', message);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', ({ id, outcome }: SqliteResponse<never>) => {
    if (id === -1) return onChange();
    const pending = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (outcome.kind === 'done') pending?.resolve(outcome.value);
    else pending?.reject(new StoreError('unavailable', outcome.message));
  });
  worker.on('error', () => end('the store thread failed'));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      end('the store is closed');
      resolve();
    });
  });
  return {
    opened: wait<void>(0),
    call<Method extends SqliteMethod>(method: Method, ...args: Parameters<Database[Method]>) {
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      const answer = wait<ReturnType<Database[Method]>>(lastId);
      worker.postMessage({ id: lastId, method, args } satisfies SqliteRequest<Method>);
      return answer;
    },
    async close() {
      // Earlier requests are completed first.
      worker.postMessage('close');
      worker.ref();
      await exited;
    },
  };
};

const objectOfRow = (resource: string, { path, revision, body }: Row): StoredObject =>
  storedObject(keyOfPath(resource, path), String(revision), bodyOf(body));

const eventOfRow = (resource: string, change: RowChange): StoreEvent => ({
  kind: change.kind,
  stored: objectOfRow(resource, change),
});

const bodyOf = (text: string): JsonObject => {
  const object = readJsonMap(text);
  if (object === undefined)
    throw new StoreError('unavailable', 'the store contains a malformed object');
  return object;
};
