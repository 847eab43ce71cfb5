/**
 * The embedded store as a file, with synchronous calls, which `sqlite-thread.ts` runs. Each write
 * is a transaction that is on the disk before it returns (write-ahead log, full synchronization).
 * Recent changes are stored next to the objects, so that every process that has the file open can
 * watch them.
 */
import { chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoreProblem } from '../../ports/store.ts';
import { databaseFile } from './flags.ts';
import { fileLockTimeoutMs, maxEventAgeMs, maxEventsPerRead, maxStoredEvents } from './limits.ts';

/** An object in the file: `body` is its JSON without the revision. */
export interface Row {
  readonly path: string;
  readonly revision: number;
  readonly body: string;
}

export interface RowChange extends Row {
  readonly kind: 'added' | 'modified' | 'deleted';
}

export interface RowList {
  readonly rows: readonly Row[];
  readonly revision: number;
}

export interface RowChanges {
  readonly changes: readonly RowChange[];
  readonly revision: number;
  readonly more: boolean;
}

/** The revision that a writer has read; nothing is written if the object has another one by now. */
export interface ExpectedObject {
  readonly revision: number;
}

/** Access to the file. Calls throw a `DatabaseError` and nothing else. */
export interface Database {
  get(resource: string, path: string): Row | undefined;
  list(resource: string, namespace: string | undefined): RowList;
  /**
   * Returns `undefined` if changes after that revision have been removed, or if the file never had
   * that revision.
   */
  changes(resource: string, after: number): RowChanges | undefined;
  /** Returns the new revision; `undefined` if the path exists. */
  create(resource: string, path: string, body: string): number | undefined;
  /** Returns the new revision; `undefined` if the object has changed in the meantime. */
  update(resource: string, path: string, body: string, seen: ExpectedObject): number | undefined;
  delete(resource: string, path: string, seen: ExpectedObject): number | undefined;
  /** Returns a number that differs from the last one if another process wrote in between. */
  dataVersion(): number;
  /** Removes changes that are too old, also from the disk. */
  sweep(): void;
  close(): void;
}

export interface DatabaseOptions {
  /** Directory of the file; created if it does not exist. */
  readonly folder: string;
  readonly now: () => number;
  /** Number of changes that watches can still read. */
  readonly events?: number;
}

/** An error whose fields can be posted to another thread. */
export class DatabaseError extends Error {
  readonly problem: StoreProblem;
  constructor(problem: StoreProblem, message: string) {
    super(message);
    this.name = 'DatabaseProblem';
    this.problem = problem;
  }
}

const schemaVersion = 1;
/** Marks the file as ours: "AGst" in the header. */
const applicationId = 0x41_47_73_74;
/** Number of writes after which old changes are removed. */
const writesBetweenSweeps = 64;

const schema = `
CREATE TABLE object (
  resource TEXT NOT NULL, path TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (resource, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE change (
  revision INTEGER PRIMARY KEY, resource TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL,
  body TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX change_by_resource ON change (resource, revision);
CREATE TABLE counter (
  id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, forgotten INTEGER NOT NULL
) STRICT;
INSERT INTO counter VALUES (1, 1, 1);
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`;

/** Opens and checks the file; throws an error that says in one sentence why it cannot be used. */
export const openDatabase = ({
  folder,
  now,
  events = maxStoredEvents,
}: DatabaseOptions): Database => {
  const file = join(folder, databaseFile);
  const database = wrapErrors(`cannot open the store ${file}`, () => openFile(folder, file));
  const run = <T>(what: () => T): T => wrapErrors(`the store ${file} failed`, what);
  try {
    wrapErrors(`cannot open the store ${file}`, () => prepare(database, file));
    return databaseOf(database, { events, now, run, assertSameFile: createFileCheck(file) });
  } catch (cause) {
    database.close();
    throw cause;
  }
};

const openFile = (folder: string, file: string): DatabaseSync => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The file contains secrets, so it is never readable by other users, not even while it is
  // created.
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  makePrivate(file);
  return new DatabaseSync(file, { timeout: fileLockTimeoutMs, defensive: true });
};

/**
 * Returns a check that throws if the path leads to another file: further writes would be lost with
 * the process.
 */
const createFileCheck = (file: string): (() => void) => {
  const opened = statSync(file).ino;
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino === opened) return;
    throw new DatabaseError(
      'unavailable',
      `the store ${file} was moved or deleted while it was in use: restart the server`,
    );
  };
};

const prepare = (database: DatabaseSync, file: string): void => {
  const [mode] = database.prepare('PRAGMA journal_mode = WAL').all();
  if (mode?.journal_mode !== 'wal') {
    throw new DatabaseError(
      'unavailable',
      `cannot open the store ${file}: its file system has no shared memory for a write-ahead log`,
    );
  }
  database.exec(
    'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF',
  );
  inWriteTransaction(database, () => ensureSchema(database, file));
  const [check] = database.prepare('PRAGMA integrity_check(1)').all();
  const result = String(check?.integrity_check);
  if (result !== 'ok') {
    throw new DatabaseError(
      'unavailable',
      `the store ${file} is damaged (${result.replaceAll('\n', ' ')}): restore it from a backup, or move it away to start with an empty store`,
    );
  }
};

const ensureSchema = (database: DatabaseSync, file: string): void => {
  const tables = numberOf(database, 'SELECT count(*) AS value FROM sqlite_schema');
  const version = numberOf(database, 'SELECT user_version AS value FROM pragma_user_version');
  const owner = numberOf(database, 'SELECT application_id AS value FROM pragma_application_id');
  if (tables === 0 && owner === 0) {
    database.exec(schema);
    return;
  }
  if (owner !== applicationId) {
    throw new DatabaseError('unavailable', `${file} is a database of another program`);
  }
  if (version !== schemaVersion) {
    throw new DatabaseError(
      'unavailable',
      `the store ${file} has schema ${version} of another release; this release supports schema ${schemaVersion}`,
    );
  }
};

interface DatabaseContext {
  readonly events: number;
  readonly now: () => number;
  readonly run: <T>(what: () => T) => T;
  readonly assertSameFile: () => void;
}

const databaseOf = (
  database: DatabaseSync,
  { events, now, run, assertSameFile }: DatabaseContext,
): Database => {
  const getRow = database.prepare(
    'SELECT path, revision, body FROM object WHERE resource = ? AND path = ?',
  );
  const listAll = database.prepare(
    'SELECT path, revision, body FROM object WHERE resource = ? ORDER BY path',
  );
  const listRange = database.prepare(
    'SELECT path, revision, body FROM object WHERE resource = ? AND path >= ? AND path < ? ORDER BY path',
  );
  const counter = database.prepare('SELECT revision, forgotten FROM counter');
  const readChanges = database.prepare(
    `SELECT revision, path, kind, body FROM change WHERE resource = ? AND revision > ?
     ORDER BY revision LIMIT ${maxEventsPerRead}`,
  );
  const putRow = database.prepare(
    `INSERT INTO object (resource, path, revision, body) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET revision = excluded.revision, body = excluded.body`,
  );
  const deleteRow = database.prepare('DELETE FROM object WHERE resource = ? AND path = ?');
  const count = database.prepare('UPDATE counter SET revision = ?');
  const putChange = database.prepare(
    'INSERT INTO change (revision, resource, path, kind, body, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const forgettable = database.prepare(
    'SELECT max(revision) AS revision FROM change WHERE revision <= ? OR at < ?',
  );
  const forget = database.prepare('DELETE FROM change WHERE revision <= ?');
  const setForgotten = database.prepare('UPDATE counter SET forgotten = ?');
  const dataVersion = database.prepare('PRAGMA data_version');
  let writes = 0;

  const find = (resource: string, path: string): Row | undefined => {
    const row = getRow.get(resource, path);
    return row === undefined ? undefined : rowOf(row);
  };
  const readCounter = () => {
    const row = counter.get();
    return { revision: Number(row?.revision), forgotten: Number(row?.forgotten) };
  };
  const forgetBefore = (revision: number): boolean => {
    const old = forgettable.get(revision - events, now() - maxEventAgeMs)?.revision;
    if (typeof old !== 'number') return false;
    forget.run(old);
    setForgotten.run(old);
    return true;
  };
  const record = (
    resource: string,
    path: string,
    kind: RowChange['kind'],
    body: string,
  ): number => {
    const revision = readCounter().revision + 1;
    if (kind === 'deleted') deleteRow.run(resource, path);
    else putRow.run(resource, path, revision, body);
    putChange.run(revision, resource, path, kind, body, now());
    count.run(revision);
    writes += 1;
    if (writes % writesBetweenSweeps === 1) forgetBefore(revision);
    return revision;
  };
  const write = (what: () => number | undefined): number | undefined =>
    run(() => {
      assertSameFile();
      return inWriteTransaction(database, what);
    });

  return {
    get: (resource, path) => run(() => find(resource, path)),
    list: (resource, namespace) =>
      run(() =>
        inReadTransaction(database, () => {
          const rows =
            namespace === undefined
              ? listAll.all(resource)
              : // `0` is the character after `/`.
                listRange.all(resource, `${namespace}/`, `${namespace}0`);
          return { rows: rows.map(rowOf), revision: readCounter().revision };
        }),
      ),
    changes: (resource, after) =>
      run(() =>
        inReadTransaction(database, () => {
          const { revision, forgotten } = readCounter();
          if (after < forgotten || after > revision) return undefined;
          const changes = readChanges.all(resource, after).map(changeOf);
          const more = changes.length === maxEventsPerRead;
          return { changes, revision: more ? (changes.at(-1)?.revision ?? after) : revision, more };
        }),
      ),
    create: (resource, path, body) =>
      write(() =>
        find(resource, path) === undefined ? record(resource, path, 'added', body) : undefined,
      ),
    update: (resource, path, body, seen) =>
      write(() =>
        find(resource, path)?.revision === seen.revision
          ? record(resource, path, 'modified', body)
          : undefined,
      ),
    delete: (resource, path, seen) =>
      write(() => {
        const row = find(resource, path);
        return row?.revision === seen.revision
          ? record(resource, path, 'deleted', row.body)
          : undefined;
      }),
    dataVersion: () => run(() => Number(dataVersion.get()?.data_version)),
    sweep() {
      const swept = run(() =>
        inWriteTransaction(database, () => forgetBefore(readCounter().revision)),
      );
      // The write-ahead log still contains what was removed from the file.
      if (swept) run(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    },
    close: () => database.close(),
  };
};

/** Runs reads on one snapshot, whatever other processes write in the meantime. */
const inReadTransaction = <T>(database: DatabaseSync, what: () => T): T => {
  database.exec('BEGIN');
  try {
    return what();
  } finally {
    database.exec('COMMIT');
  }
};

const inWriteTransaction = <T>(database: DatabaseSync, what: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const done = what();
    database.exec('COMMIT');
    return done;
  } catch (cause) {
    // A full disk has already ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  }
};

const rowOf = (row: Readonly<Record<string, unknown>>): Row => ({
  path: String(row.path),
  revision: Number(row.revision),
  body: String(row.body),
});

const changeOf = (row: Readonly<Record<string, unknown>>): RowChange => ({
  ...rowOf(row),
  kind: kindOf(row.kind),
});

const kindOf = (value: unknown): RowChange['kind'] => {
  if (value === 'added' || value === 'modified' || value === 'deleted') return value;
  throw new Error(`unknown kind of change ${JSON.stringify(value)}`);
};

const numberOf = (database: DatabaseSync, query: string): number =>
  Number(database.prepare(query).get()?.value);

/** Converts errors of SQLite and of the system to a `DatabaseError`. */
const wrapErrors = <T>(doing: string, what: () => T): T => {
  try {
    return what();
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause;
    throw new DatabaseError('unavailable', `${doing}: ${reasonOf(cause)}`);
  }
};

const reasons: ReadonlyMap<number, string> = new Map([
  [5, 'another process has locked it'],
  [6, 'another process has locked it'],
  [8, 'it is read-only'],
  [10, 'disk I/O error'],
  [11, 'it is damaged: restore it from a backup, or move it away to start with an empty store'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened'],
  [
    26,
    'it is not a database: restore it from a backup, or move it away to start with an empty store',
  ],
]);

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'unknown failure';
  const code = 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode & 0xff : 0;
  return reasons.get(code) ?? cause.message;
};

/**
 * Returns `false` for a file of another user, as on volumes with a group; only the owner can change
 * its mode.
 */
const makePrivate = (file: string): boolean => {
  try {
    chmodSync(file, 0o600);
    return true;
  } catch {
    return false;
  }
};
