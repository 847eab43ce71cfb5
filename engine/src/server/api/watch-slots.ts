/** How many watches may be open at once, and whose watch ends when another user wants one. */

import { FairPlaces, type Place } from '../../fairness/fair-places.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { watchLimits } from '../limits.ts';

export interface WatchSlots {
  /** `undefined` when all are open and the user has as many as anyone; `onDisplaced` ends the watch. */
  open(user: UserInfo, onDisplaced: () => void): Place | undefined;
}

/** Shared by users: the one with the most watches loses its oldest to a user who has fewer. */
export const watchSlots = (limit: number = watchLimits.open): WatchSlots => {
  const places = new FairPlaces(limit);
  return { open: ({ username }, onDisplaced) => places.acquire([username], onDisplaced) };
};
