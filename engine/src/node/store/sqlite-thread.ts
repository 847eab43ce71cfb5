/**
 * The thread of the embedded store: a slow disk, a lock or a check of the whole file delays only
 * callers of the store. Each request gets one response, and the thread reports writes of other
 * processes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { filePollMs, fileSweepIntervalMs } from './limits.ts';
import type { SqliteRequest, SqliteResponse } from './sqlite.ts';
import { Database, type SqliteSettings } from './sqlite-database.ts';

const settings: SqliteSettings = workerData;

const answerOf = (work: () => unknown): SqliteResponse['outcome'] => {
  try {
    return { kind: 'done', value: work() };
  } catch (cause) {
    return { kind: 'failed', message: cause instanceof Error ? cause.message : 'failed' };
  }
};

const port = parentPort;
if (port !== null) {
  let database: Database | undefined;
  const outcome = answerOf(() => {
    database = new Database(settings);
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
    port?.on('message', (request: SqliteRequest | 'close') => {
      if (request === 'close') {
        clearInterval(pollTimer);
        clearInterval(sweepTimer);
        answerOf(() => open.close());
        port.close();
        return;
      }
      const { id, method, args } = request;
      const outcome = answerOf(() => Reflect.apply(open[method], open, args));
      port.postMessage({ id, outcome } satisfies SqliteResponse);
    });
  }
}
