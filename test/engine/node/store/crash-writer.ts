/**
 * Writes a thousand times into the embedded store and says after each write that it was acknowledged:
 * `LANE STEP`. Its lanes write side by side, each one step after the other. Somebody kills it.
 */
import { flushCompileCache } from 'node:module';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { sqliteStore } from '../../../../engine/src/node/store/sqlite.ts';
import { laneCount, laneKey, laneObject, stepKind } from './crash-lanes.ts';

const [, , folder = '', round = ''] = process.argv;
const writesOfLane = 1_000 / laneCount;
// Whoever is killed keeps nothing at its end.
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
