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
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
  type StoreEvent,
  type StoreProblem,
} from '../../ports/store.ts';
import { newChangeSignal } from './change-signal.ts';
import { maxWriteAttempts } from './limits.ts';
import { keyOfPath, pathOf } from './object-path.ts';
import type { ExpectedObject, Row, RowChange, RowChanges, RowList } from './sqlite-database.ts';
import {
  checkPreconditions,
  existsError,
  goneError,
  isUnchanged,
  missingError,
  parseRevision,
  storedObject,
  uidOf,
  withoutRevision,
} from './stored-object.ts';
import { type ChangeFeed, watchChanges } from './watch-changes.ts';

/** Settings of the embedded store. */
export interface SqliteSettings {
  /** Directory of the file; created if it does not exist. */
  readonly folder: string;
  /** Number of changes that watches can still read. */
  readonly events?: number;
}

/** A request to the thread. */
export interface SqliteRequest {
  readonly id: number;
  readonly call: SqliteCall;
}

/** The calls that the thread supports. */
export type SqliteCall =
  | { readonly kind: 'get'; readonly resource: string; readonly path: string }
  | { readonly kind: 'list'; readonly resource: string; readonly namespace: string | undefined }
  | { readonly kind: 'changes'; readonly resource: string; readonly after: number }
  | {
      readonly kind: 'create';
      readonly resource: string;
      readonly path: string;
      readonly body: string;
    }
  | {
      readonly kind: 'update';
      readonly resource: string;
      readonly path: string;
      readonly body: string;
      readonly seen: ExpectedObject;
    }
  | {
      readonly kind: 'delete';
      readonly resource: string;
      readonly path: string;
      readonly seen: ExpectedObject;
    };

/** A response of the thread. ID 0 reports that it has started, ID -1 that another process wrote. */
export interface SqliteResponse<T = unknown> {
  readonly id: number;
  readonly outcome:
    | { readonly kind: 'done'; readonly value: T }
    | { readonly kind: 'failed'; readonly problem: StoreProblem; readonly message: string };
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
    const row = await thread.call<Row | undefined>({
      kind: 'get',
      resource: key.resource,
      path: pathOf(key),
    });
    return row === undefined ? undefined : objectOfRow(key.resource, row);
  };
  const feed: ChangeFeed = {
    clock,
    changeSignal,
    async changes(resource, after) {
      const read = await thread.call<RowChanges | undefined>({
        kind: 'changes',
        resource,
        after: parseRevision(after),
      });
      if (read === undefined) throw goneError(after);
      const events = read.changes.map((guaranteedUpdate) => eventOfRow(resource, guaranteedUpdate));
      return { events, revision: String(read.revision), more: read.more };
    },
  };
  /**
   * Reads the object, checks the preconditions, and writes if the object has not changed in the
   * meantime; otherwise starts again.
   */
  const guaranteedUpdate = async (
    key: ObjectKey,
    preconditions: Preconditions | undefined,
    write: (before: StoredObject, seen: ExpectedObject) => SqliteCall | undefined,
  ): Promise<{ readonly before: StoredObject; readonly revision: string }> => {
    for (let attempt = 0; attempt < maxWriteAttempts; attempt += 1) {
      const before = await get(key);
      if (before === undefined) throw missingError(key);
      checkPreconditions(preconditions, { uid: uidOf(before.object), revision: before.revision });
      const call = write(before, { revision: Number(before.revision) });
      if (call === undefined) return { before, revision: before.revision };
      const revision = await thread.call<number | undefined>(call);
      if (revision === undefined) continue;
      changeSignal.notify();
      return { before, revision: String(revision) };
    }
    throw new StoreError(
      'conflict',
      `${key.resource} ${JSON.stringify(pathOf(key))} keeps changing`,
    );
  };

  return {
    get,
    async list(resource, { namespace } = {}) {
      const { rows, revision } = await thread.call<RowList>({ kind: 'list', resource, namespace });
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
      const { resource } = key;
      const body = writeJson(withoutRevision(object));
      const call = { kind: 'create', resource, path: pathOf(key), body } as const;
      const revision = await thread.call<number | undefined>(call);
      if (revision === undefined) throw existsError(key);
      changeSignal.notify();
      return storedObject(key, String(revision), object);
    },
    async update(key, object, preconditions) {
      const { resource } = key;
      const path = pathOf(key);
      const body = writeJson(withoutRevision(object));
      const { before, revision } = await guaranteedUpdate(
        key,
        preconditions,
        ({ object: last }, seen) =>
          isUnchanged(last, object) ? undefined : { kind: 'update', resource, path, body, seen },
      );
      return revision === before.revision ? before : storedObject(key, revision, object);
    },
    async delete(key, preconditions) {
      const { resource } = key;
      const path = pathOf(key);
      const { before, revision } = await guaranteedUpdate(key, preconditions, (_, seen) => ({
        kind: 'delete',
        resource,
        path,
        seen,
      }));
      return storedObject(key, revision, before.object);
    },
    async close() {
      closed.abort();
      await thread.close();
    },
  };
};

interface Thread {
  readonly opened: Promise<void>;
  call<T>(call: SqliteCall): Promise<T>;
  close(): Promise<void>;
}

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (cause: StoreError) => void;
}

const startThread = (settings: SqliteSettings, onChange: () => void): Thread => {
  // The thread is loaded from the same kind of file as this one: TypeScript in tests, JavaScript
  // otherwise.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./sqlite-thread.${extension}`, import.meta.url), {
    workerData: settings,
  });
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
    else pending?.reject(new StoreError(outcome.problem, outcome.message));
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
    call<T>(call: SqliteCall) {
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      const answer = wait<T>(lastId);
      worker.postMessage({ id: lastId, call } satisfies SqliteRequest);
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

const eventOfRow = (resource: string, guaranteedUpdate: RowChange): StoreEvent => ({
  kind: guaranteedUpdate.kind,
  stored: objectOfRow(resource, guaranteedUpdate),
});

const bodyOf = (text: string): JsonObject => {
  const object = readJsonMap(text);
  if (object === undefined)
    throw new StoreError('unavailable', 'the store contains a malformed object');
  return object;
};
