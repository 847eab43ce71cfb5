/**
 * The embedded store as a file, with synchronous calls, which `sqlite-thread.ts` runs. Each write
 * is a transaction that is on the disk before it returns (write-ahead log, full synchronization).
 * Recent changes are stored next to the objects, so that every process that has the file open can
 * watch them.
 */
import { chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../ports/store.ts';
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

/** Settings of the embedded store. */
export interface SqliteSettings {
  /** Directory of the file; created if it does not exist. */
  readonly folder: string;
  /** Number of changes that watches can still read. */
  readonly events?: number;
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

const openFile = (folder: string, file: string): DatabaseSync => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The file contains secrets, so it is never readable by other users, not even while it is
  // created.
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  makePrivate(file);
  return new DatabaseSync(file, { timeout: fileLockTimeoutMs, defensive: true });
};

const prepare = (database: DatabaseSync, file: string): void => {
  const [mode] = database.prepare('PRAGMA journal_mode = WAL').all();
  if (mode?.journal_mode !== 'wal') {
    throw unavailable(
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
    throw unavailable(
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
    throw unavailable(`${file} is a database of another program`);
  }
  if (version !== schemaVersion) {
    throw unavailable(
      `the store ${file} has schema ${version} of another release; this release supports schema ${schemaVersion}`,
    );
  }
};

/** Access to the file. Every call throws a `StoreError` and nothing else. */
export class Database {
  readonly #file: string;
  readonly #sqlite: DatabaseSync;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #inode: number;
  readonly #events: number;
  #writes = 0;

  /** Opens and checks the file; throws an error that says in one sentence why it is unusable. */
  constructor({ folder, events = maxStoredEvents }: SqliteSettings) {
    const file = join(folder, databaseFile);
    this.#file = file;
    this.#events = events;
    this.#sqlite = wrapErrors(`cannot open the store ${file}`, () => openFile(folder, file));
    try {
      wrapErrors(`cannot open the store ${file}`, () => prepare(this.#sqlite, file));
      this.#statements = statementsOf(this.#sqlite);
      this.#inode = statSync(file).ino;
    } catch (cause) {
      this.#sqlite.close();
      throw cause;
    }
  }

  get(resource: string, path: string): Row | undefined {
    return this.#run(() => this.#find(resource, path));
  }

  list(resource: string, namespace: string | undefined): RowList {
    const { listAll, listRange } = this.#statements;
    return this.#read(() => {
      const rows =
        namespace === undefined
          ? listAll.all(resource)
          : // `0` is the character after `/`.
            listRange.all(resource, `${namespace}/`, `${namespace}0`);
      return { rows: rows.map(rowOf), revision: this.#counter().revision };
    });
  }

  /**
   * Returns `undefined` if changes after that revision have been removed, or if the file never had
   * that revision.
   */
  changes(resource: string, after: number): RowChanges | undefined {
    return this.#read(() => {
      const { revision, forgotten } = this.#counter();
      if (after < forgotten || after > revision) return undefined;
      const changes = this.#statements.readChanges.all(resource, after).map(changeOf);
      const more = changes.length === maxEventsPerRead;
      return { changes, revision: more ? (changes.at(-1)?.revision ?? after) : revision, more };
    });
  }

  /** Returns the new revision; `undefined` if the path exists. */
  create(resource: string, path: string, body: string): number | undefined {
    return this.#write(() =>
      this.#find(resource, path) === undefined
        ? this.#record(resource, path, 'added', body)
        : undefined,
    );
  }

  /** Returns the new revision; `undefined` if the object has another one than `seen` by now. */
  update(resource: string, path: string, body: string, seen: number): number | undefined {
    return this.#write(() =>
      this.#find(resource, path)?.revision === seen
        ? this.#record(resource, path, 'modified', body)
        : undefined,
    );
  }

  /** Like `update`. */
  delete(resource: string, path: string, seen: number): number | undefined {
    return this.#write(() => {
      const row = this.#find(resource, path);
      return row?.revision === seen ? this.#record(resource, path, 'deleted', row.body) : undefined;
    });
  }

  /** Returns a number that differs from the last one if another process wrote in between. */
  dataVersion(): number {
    return this.#run(() => Number(this.#statements.dataVersion.get()?.data_version));
  }

  /** Removes changes that are too old, also from the disk. */
  sweep(): void {
    const swept = this.#run(() =>
      inWriteTransaction(this.#sqlite, () => this.#forgetBefore(this.#counter().revision)),
    );
    if (swept) this.#run(() => this.#sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  close(): void {
    this.#sqlite.close();
  }

  #run<T>(what: () => T): T {
    return wrapErrors(`the store ${this.#file} failed`, what);
  }

  #read<T>(what: () => T): T {
    return this.#run(() => inReadTransaction(this.#sqlite, what));
  }

  #write(what: () => number | undefined): number | undefined {
    return this.#run(() => {
      this.#assertSameFile();
      return inWriteTransaction(this.#sqlite, what);
    });
  }

  /** Throws if the path leads to another file: further writes would be lost with the process. */
  #assertSameFile(): void {
    if (statSync(this.#file, { throwIfNoEntry: false })?.ino === this.#inode) return;
    throw unavailable(
      `the store ${this.#file} was moved or deleted while it was in use: restart the server`,
    );
  }

  #find(resource: string, path: string): Row | undefined {
    const row = this.#statements.getRow.get(resource, path);
    return row === undefined ? undefined : rowOf(row);
  }

  #counter() {
    const row = this.#statements.counter.get();
    return { revision: Number(row?.revision), forgotten: Number(row?.forgotten) };
  }

  #forgetBefore(revision: number): boolean {
    const { forgettable, forget, setForgotten } = this.#statements;
    const oldest = Date.now() - maxEventAgeMs;
    const old = forgettable.get(revision - this.#events, oldest)?.revision;
    if (typeof old !== 'number') return false;
    forget.run(old);
    setForgotten.run(old);
    return true;
  }

  #record(resource: string, path: string, kind: RowChange['kind'], body: string): number {
    const { deleteRow, putRow, putChange, count } = this.#statements;
    const revision = this.#counter().revision + 1;
    if (kind === 'deleted') deleteRow.run(resource, path);
    else putRow.run(resource, path, revision, body);
    putChange.run(revision, resource, path, kind, body, Date.now());
    count.run(revision);
    this.#writes += 1;
    if (this.#writes % writesBetweenSweeps === 1) this.#forgetBefore(revision);
    return revision;
  }
}

const statementsOf = (sqlite: DatabaseSync) => ({
  getRow: sqlite.prepare('SELECT path, revision, body FROM object WHERE resource = ? AND path = ?'),
  listAll: sqlite.prepare(
    'SELECT path, revision, body FROM object WHERE resource = ? ORDER BY path',
  ),
  listRange: sqlite.prepare(
    'SELECT path, revision, body FROM object WHERE resource = ? AND path >= ? AND path < ? ORDER BY path',
  ),
  counter: sqlite.prepare('SELECT revision, forgotten FROM counter'),
  readChanges: sqlite.prepare(
    `SELECT revision, path, kind, body FROM change WHERE resource = ? AND revision > ?
     ORDER BY revision LIMIT ${maxEventsPerRead}`,
  ),
  putRow: sqlite.prepare(
    `INSERT INTO object (resource, path, revision, body) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET revision = excluded.revision, body = excluded.body`,
  ),
  deleteRow: sqlite.prepare('DELETE FROM object WHERE resource = ? AND path = ?'),
  count: sqlite.prepare('UPDATE counter SET revision = ?'),
  putChange: sqlite.prepare(
    'INSERT INTO change (revision, resource, path, kind, body, at) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  forgettable: sqlite.prepare(
    'SELECT max(revision) AS revision FROM change WHERE revision <= ? OR at < ?',
  ),
  forget: sqlite.prepare('DELETE FROM change WHERE revision <= ?'),
  setForgotten: sqlite.prepare('UPDATE counter SET forgotten = ?'),
  dataVersion: sqlite.prepare('PRAGMA data_version'),
});

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

const unavailable = (message: string): StoreError => new StoreError('unavailable', message);

/** Converts errors of SQLite and of the system to a `StoreError`. */
const wrapErrors = <T>(doing: string, what: () => T): T => {
  try {
    return what();
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw unavailable(`${doing}: ${reasonOf(cause)}`);
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
