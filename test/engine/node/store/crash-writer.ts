/**
 * Writes to the embedded store a thousand times and prints `LANE STEP` after each acknowledged
 * write. The lanes write concurrently, each one step after the other. The process is killed at some
 * point.
 */
import { flushCompileCache } from 'node:module';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { sqliteStore } from '../../../../engine/src/node/store/sqlite.ts';
import { laneCount, laneKey, laneObject, stepKind } from './crash-lanes.ts';

const [, , folder = '', round = ''] = process.argv;
const writesOfLane = 1_000 / laneCount;
// A killed process stores nothing in the compile cache at its end.
flushCompileCache();
const store = await sqliteStore({ folder }, nodeClock());

const runLane = async (lane: number): Promise<void> => {
  const key = laneKey(round, lane);
  for (let step = 1; step <= writesOfLane; step += 1) {
    const kind = stepKind(step);
    if (kind === 'create') await store.create(key, laneObject(key, step));
    else if (kind === 'update') await store.update(key, laneObject(key, step));
    else await store.delete(key);
    process.stdout.write(`${lane} ${step}\n`);
  }
};
await Promise.all(Array.from({ length: laneCount }, (_, lane) => runLane(lane)));
await store.close();
