/** Objects that a controller creates, including the fields that an API server fills in. */
import type { Json, JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Randomness } from '../ports/randomness.ts';
import type { ObjectKey } from '../ports/store.ts';

export interface NewObjectServices {
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

export interface NewObject {
  readonly key: ObjectKey;
  readonly kind: string;
  readonly labels?: ReadonlyMap<string, string>;
  /** Members that follow the metadata. */
  readonly members?: readonly (readonly [string, Json])[];
}

/** Returns an object of the core API group with a UID and a creation time. */
export const newObject = (
  { key, kind, labels, members = [] }: NewObject,
  { clock, randomness }: NewObjectServices,
): JsonObject => {
  const metadata = new Map<string, Json>([['name', key.name]]);
  if (key.namespace !== '') metadata.set('namespace', key.namespace);
  metadata.set('uid', randomness.uuid());
  // Times of the API have a precision of seconds.
  metadata.set('creationTimestamp', `${new Date(clock.now()).toISOString().slice(0, 19)}Z`);
  if (labels !== undefined) metadata.set('labels', labels);
  return new Map<string, Json>([
    ['apiVersion', 'v1'],
    ['kind', kind],
    ['metadata', metadata],
    ...members,
  ]);
};
