/** Objects that a controller makes: what an API server fills in, nobody else does here. */
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
  /** After the metadata. */
  readonly members?: readonly (readonly [string, Json])[];
}

/** Of the core group, with identity and time. */
export const newObject = (
  { key, kind, labels, members = [] }: NewObject,
  { clock, randomness }: NewObjectServices,
): JsonObject => {
  const metadata = new Map<string, Json>([['name', key.name]]);
  if (key.namespace !== '') metadata.set('namespace', key.namespace);
  metadata.set('uid', randomness.uuid());
  // The API's times have whole seconds.
  metadata.set('creationTimestamp', `${new Date(clock.now()).toISOString().slice(0, 19)}Z`);
  if (labels !== undefined) metadata.set('labels', labels);
  return new Map<string, Json>([
    ['apiVersion', 'v1'],
    ['kind', kind],
    ['metadata', metadata],
    ...members,
  ]);
};
