/** What the writer that gets killed writes, and what its reader therefore expects. */
import type { JsonObject } from '../../../../engine/src/model/json.ts';
import type { ObjectKey } from '../../../../engine/src/ports/store.ts';
import { account, objectOf } from './store-contract.ts';

export const laneCount = 4;

/** One object a lane and round. */
export const laneKey = (round: string, lane: number): ObjectKey =>
  account(`lane-${lane}`, `r${round}`);

/** Longer than a page of the file with some steps: a torn write would not be read as JSON, or not as this. */
export const laneObject = (key: ObjectKey, step: number): JsonObject =>
  objectOf(key, [
    ['step', step],
    ['text', `${step},`.repeat((step * 97) % 3_000)],
  ]);

/** A lane creates, changes twice, deletes, and so on. */
export const stepKind = (step: number): 'create' | 'update' | 'delete' => {
  if (step % 4 === 1) return 'create';
  return step % 4 === 0 ? 'delete' : 'update';
};
