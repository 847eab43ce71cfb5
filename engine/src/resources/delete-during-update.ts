/** What is left of an object that was deleted while finalizers or its grace held it back. */
import type { JsonObject } from '../model/json.ts';
import { listAt, memberAt, stringAt } from './object-fields.ts';

/** An object that only waited for its finalizers goes with the last of them. */
export const shouldDeleteDuringUpdate = (object: JsonObject): boolean =>
  stringAt(object, 'metadata', 'deletionTimestamp') !== '' &&
  Number(memberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) === 0 &&
  listAt(object, 'metadata', 'finalizers').length === 0 &&
  listAt(object, 'spec', 'finalizers').length === 0;
