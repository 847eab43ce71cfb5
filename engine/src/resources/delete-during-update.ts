/** Detects when an update completes the deletion of an object. */
import type { JsonObject } from '../model/json.ts';
import { listAt, memberAt, stringAt } from './object-fields.ts';

/**
 * Returns whether an object is deleted by this update, because its last finalizer and its grace
 * period are gone.
 */
export const shouldDeleteDuringUpdate = (object: JsonObject): boolean =>
  stringAt(object, 'metadata', 'deletionTimestamp') !== '' &&
  Number(memberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) === 0 &&
  listAt(object, 'metadata', 'finalizers').length === 0 &&
  listAt(object, 'spec', 'finalizers').length === 0;
