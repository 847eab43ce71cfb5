/**
 * The thread of the embedded store: a slow disk, a lock or a check of the whole file delays only
 * callers of the store. Each request gets one response, and the thread reports writes of other
 * processes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { filePollMs, fileSweepIntervalMs } from './limits.ts';
import type { SqliteRequest, SqliteResponse, SqliteSettings } from './sqlite.ts';
import { type Database, DatabaseError, openDatabase } from './sqlite-database.ts';

const settings: SqliteSettings = workerData;

const answerOf = (work: () => unknown): SqliteResponse['outcome'] => {
  try {
    return { kind: 'done', value: work() };
  } catch (cause) {
    const problem = cause instanceof DatabaseError ? cause.problem : 'unavailable';
    return { kind: 'failed', problem, message: cause instanceof Error ? cause.message : 'failed' };
  }
};

const perform = (database: Database, { call }: SqliteRequest): unknown => {
  switch (call.kind) {
    case 'get':
      return database.get(call.resource, call.path);
    case 'list':
      return database.list(call.resource, call.namespace);
    case 'changes':
      return database.changes(call.resource, call.after);
    case 'create':
      return database.create(call.resource, call.path, call.body);
    case 'update':
      return database.update(call.resource, call.path, call.body, call.seen);
    case 'delete':
      return database.delete(call.resource, call.path, call.seen);
  }
};

const port = parentPort;
if (port !== null) {
  let database: Database | undefined;
  const outcome = answerOf(() => {
    database = openDatabase({ ...settings, now: () => Date.now() });
  });
  port.postMessage({ id: 0, outcome } satisfies SqliteResponse);
  const opened = database;
  if (opened !== undefined) serve(opened);
  else port.close();

  function serve(open: Database): void {
    let seen = open.dataVersion();
    const pollTimer = setInterval(() => {
      const now = answerOf(() => open.dataVersion());
      if (now.kind !== 'done' || now.value === seen) return;
      seen = Number(now.value);
      port?.postMessage({ id: -1, outcome: now } satisfies SqliteResponse);
    }, filePollMs);
    const sweepTimer = setInterval(() => answerOf(() => open.sweep()), fileSweepIntervalMs);
    port?.on('message', (order: SqliteRequest | 'close') => {
      if (order === 'close') {
        clearInterval(pollTimer);
        clearInterval(sweepTimer);
        answerOf(() => open.close());
        port.close();
        return;
      }
      port.postMessage({
        id: order.id,
        outcome: answerOf(() => perform(open, order)),
      } satisfies SqliteResponse);
    });
  }
}
