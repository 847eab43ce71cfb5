/**
 * Lists that are read page by page: each page is of the state that the first one was of, so that
 * nothing is missed or seen twice. The newest are kept; an older one has to be begun again.
 */
import type { Clock } from '../../ports/clock.ts';
import type { ObjectList } from '../../ports/store.ts';
import { listLimits } from '../limits.ts';

/** Lists at the revisions that pages go on from. */
export interface ListSnapshots {
  keep(place: string, list: ObjectList): void;
  find(place: string, revision: string): ObjectList | undefined;
}

/** Keeps the newest few. */
export const listSnapshots = (clock: Clock): ListSnapshots => {
  const kept = new Map<string, { readonly list: ObjectList; readonly until: number }>();
  const keyOf = (place: string, revision: string): string => `${revision} ${place}`;
  const forgetOld = (): void => {
    for (const [key, { until }] of kept) {
      if (until > clock.monotonic() && kept.size <= listLimits.snapshots) return;
      kept.delete(key);
    }
  };
  return {
    keep(place, list) {
      const key = keyOf(place, list.revision);
      kept.delete(key);
      kept.set(key, { list, until: clock.monotonic() + listLimits.snapshotMs });
      forgetOld();
    },
    find(place, revision) {
      forgetOld();
      return kept.get(keyOf(place, revision))?.list;
    },
  };
};
