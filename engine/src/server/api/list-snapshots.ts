/**
 * Lists that are read page by page: each page is of the state that the first one was of, so that
 * nothing is missed or seen twice. The newest are kept; an older one has to be begun again.
 */
import type { Clock } from '../../ports/clock.ts';
import type { ObjectList } from '../../ports/store.ts';
import { listLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';

/** Lists at the revisions that pages go on from. */
export interface ListSnapshots {
  save(place: string, list: ObjectList): void;
  find(place: string, revision: string): ObjectList | undefined;
}

interface Snapshot {
  readonly list: ObjectList;
  readonly until: number;
  readonly bytes: number;
}

/** Number of objects of a list whose size is measured; the others count as their mean. */
const sampleSize = 32;

/** An estimate: JSON as objects takes about four times its characters. */
const listBytes = ({ objects }: ObjectList): number => {
  const step = Math.max(1, Math.floor(objects.length / sampleSize));
  const sample = objects.filter((_, index) => index % step === 0);
  const characters = sample.reduce((sum, { object }) => sum + writeJson(object).length, 0);
  return sample.length === 0 ? 0 : (4 * characters * objects.length) / sample.length;
};

/** Keeps the newest few. */
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
      // The newest stays, so that a list of any length can be read to its end.
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
