/** How many watches may be open at once. */
import { watchLimits } from '../limits.ts';

export interface WatchSlots {
  /** A function that gives the slot back; `undefined` when all are taken. */
  take(): (() => void) | undefined;
}

export const watchSlots = (limit: number = watchLimits.open): WatchSlots => {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) return undefined;
      taken += 1;
      let isMine = true;
      return () => {
        if (isMine) taken -= 1;
        isMine = false;
      };
    },
  };
};
