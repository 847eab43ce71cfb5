/** Limits the number of open watches and decides whose watch ends when another user opens one. */

import { FairPlaces, type Place } from '../../fairness/fair-places.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { watchLimits } from '../limits.ts';

export interface WatchSlots {
  /**
   * Opens a watch; `undefined` if none is free and the user has no fewer than anyone else.
   * `onDisplaced` ends the watch.
   */
  open(user: UserInfo, onDisplaced: () => void): Place | undefined;
}

/**
 * Creates the slots. They are shared by users: the user with the most watches loses its oldest one
 * to a user with fewer.
 */
export const watchSlots = (limit: number = watchLimits.open): WatchSlots => {
  const places = new FairPlaces(limit);
  return { open: ({ username }, onDisplaced) => places.acquire([username], onDisplaced) };
};
