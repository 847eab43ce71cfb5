/**
 * Snapshots of paged lists: every page shows the state of the first one, so no object is missed or
 * repeated. Only the latest snapshots are retained; older lists expire.
 */
import type { Clock } from '../../ports/clock.ts';
import type { ObjectList } from '../../ports/store.ts';
import { listLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';

/** Finds a list that another process stores. */
export type FindList = (place: string, revision: string) => Promise<ObjectList | undefined>;

/** Lists by their revision, from which later pages continue. */
export interface ListSnapshots {
  save(place: string, list: ObjectList): void;
  find(place: string, revision: string): ObjectList | undefined;
}

interface Snapshot {
  readonly list: ObjectList;
  readonly until: number;
  readonly bytes: number;
}

/** The number of objects that are measured to estimate the size of a list. */
const sampleSize = 32;

/** Estimates the memory of a list: objects take about four times the characters of their JSON. */
const listBytes = ({ objects }: ObjectList): number => {
  const step = Math.max(1, Math.floor(objects.length / sampleSize));
  const sample = objects.filter((_, index) => index % step === 0);
  const characters = sample.reduce((sum, { object }) => sum + writeJson(object).length, 0);
  return sample.length === 0 ? 0 : (4 * characters * objects.length) / sample.length;
};

/** Creates a store of snapshots with a memory limit. */
export const listSnapshots = (clock: Clock, maxBytes: number): ListSnapshots => {
  const snapshots = new Map<string, Snapshot>();
  let bytes = 0;
  const keyOf = (place: string, revision: string): string => `${revision} ${place}`;
  const remove = (key: string): void => {
    bytes -= snapshots.get(key)?.bytes ?? 0;
    snapshots.delete(key);
  };
  const removeExpired = (): void => {
    for (const [key, snapshot] of snapshots) {
      // The latest snapshot stays, so that a list of any length can be read to its end.
      const fits =
        snapshots.size <= listLimits.snapshots && (bytes <= maxBytes || snapshots.size === 1);
      if (snapshot.until > clock.monotonic() && fits) return;
      remove(key);
    }
  };
  return {
    save(place, list) {
      const key = keyOf(place, list.revision);
      remove(key);
      const until = clock.monotonic() + listLimits.snapshotMs;
      const snapshot = { list, until, bytes: listBytes(list) };
      snapshots.set(key, snapshot);
      bytes += snapshot.bytes;
      removeExpired();
    },
    find(place, revision) {
      removeExpired();
      return snapshots.get(keyOf(place, revision))?.list;
    },
  };
};
