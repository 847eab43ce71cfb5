/**
 * Loaded into the server process before its program (`--import`): reports internals to its parent,
 * and moves the wall clock. The monotonic clock is not changed.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapSpaceStatistics, queryObjects, writeHeapSnapshot } from 'node:v8';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

const realNow = Date.now.bind(Date);
let offsetMs = 0;
Date.now = () => realNow() + offsetMs;

const question = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;

const resources = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/**
 * Returns the size of the largest map in the process, which is the decision cache once it has many
 * entries.
 */
const largestMap = (): number =>
  queryObjects(Map, { format: 'summary' }).reduce(
    (most, shown) => Math.max(most, Number(/^\w+\((\d+)\)/.exec(shown)?.[1] ?? 0)),
    0,
  );

/** Returns the size of machine code, bytecode and what V8 needs to return from one to the other. */
const codeBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name.includes('code') || name.includes('trusted'))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);

process.on('message', (message) => {
  const offset = question(message, 'clockOffsetMs');
  if (typeof offset === 'number') offsetMs = offset;
  const snapshot = question(message, 'heapSnapshot');
  if (typeof snapshot === 'string') writeHeapSnapshot(snapshot);
  if (question(message, 'collect') === true) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({
    probe: question(message, 'id'),
    rssMegabytes: rss / 2 ** 20,
    heapMegabytes: heapUsed / 2 ** 20,
    codeMegabytes: codeBytes() / 2 ** 20,
    loopP99Ms: (delay.percentile(99) || 0) / 1e6,
    loopMaxMs: delay.max / 1e6,
    processorMs: (process.cpuUsage().user + process.cpuUsage().system) / 1000,
    resources: resources(),
    largestMap: question(message, 'maps') === true ? largestMap() : 0,
    promises:
      question(message, 'promises') === true ? queryObjects(Promise, { format: 'count' }) : 0,
  });
  delay.reset();
});
// The parent is gone, so no process would end this one.
process.once('disconnect', () => process.exit(1));
// The channel must not keep the server alive.
process.channel?.unref();
