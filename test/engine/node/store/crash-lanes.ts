/** The writes of the process that is killed, and what its reader expects. */
import type { JsonObject } from '../../../../engine/src/model/json.ts';
import type { ObjectKey } from '../../../../engine/src/ports/store.ts';
import { account, objectOf } from './store-contract.ts';

export const laneCount = 4;

/** Returns the key of the object of a lane and round. */
export const laneKey = (round: string, lane: number): ObjectKey =>
  account(`lane-${lane}`, `r${round}`);

/**
 * The value is longer than a page of the file: a torn write would not be valid JSON, or not this
 * value.
 */
export const laneObject = (key: ObjectKey, step: number): JsonObject =>
  objectOf(key, [
    ['step', step],
    ['text', `${step},`.repeat((step * 97) % 3_000)],
  ]);

/** Each lane creates an object, changes it twice, deletes it, and starts over. */
export const stepKind = (step: number): 'create' | 'update' | 'delete' => {
  if (step % 4 === 1) return 'create';
  return step % 4 === 0 ? 'delete' : 'update';
};
