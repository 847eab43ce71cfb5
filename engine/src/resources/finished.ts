/** What is left of an object that was deleted while finalizers or its grace held it back. */
import type { JsonObject } from '../model/json.ts';
import { listAt, memberAt, textAt } from './object-fields.ts';

/** An object that only waited for its finalizers goes with the last of them. */
export const isFinished = (object: JsonObject): boolean =>
  textAt(object, 'metadata', 'deletionTimestamp') !== '' &&
  Number(memberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) === 0 &&
  listAt(object, 'metadata', 'finalizers').length === 0 &&
  listAt(object, 'spec', 'finalizers').length === 0;
