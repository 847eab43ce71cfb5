/** The limits of stores and of the local view; each has a row in docs/limits.md. */

/** Changes that memory and the embedded store remember for watches. */
export const maxStoredEvents = 10_000;

/** A remembered change is forgotten so long after it: what was deleted shall not stay on the disk. */
export const maxEventAgeMs = 10 * 60_000;

/** Changes that a watch reads at once. */
export const maxEventsPerRead = 500;

/** Between two bookmarks of a watch that has caught up. */
export const bookmarkIntervalMs = 2_000;

/** Between two looks of the embedded store for what another process wrote. */
export const filePollMs = 100;

/** Between two looks of it for changes past their age. */
export const fileSweepIntervalMs = 60_000;

/** Wait for a file that another process holds locked. */
export const fileLockTimeoutMs = 2_000;

/** How often an unconditional write is tried when others write the same object. */
export const maxWriteAttempts = 16;

/** A call to a store elsewhere, all tries together. */
export const storeCallTimeoutMs = 2_000;

/** One member that does not answer is left for the next one. */
export const memberCallTimeoutMs = 700;

/**
 * A connection to etcd on which nothing arrived for this long is checked with a PING, and closed
 * without an answer within `memberCallMs`. etcd closes connections of clients that send PINGs more often.
 */
export const etcdPingIntervalMs = 5_000;

/** A call to a cluster's API, admission included. */
export const apiCallTimeoutMs = 10_000;

/** A watch of a cluster's API is ended by the server after so long, and begun again. */
export const shortWatchMs = 4_000;

/** A list from a store elsewhere, as a whole. */
export const storeListTimeoutMs = 60_000;

/** Objects of a page of such a list. */
export const maxPageObjects = 500;

/** One answer or one event of a store elsewhere. */
export const maxStoreResponseBytes = 64 * 1024 * 1024;

/** A watch that tells nothing, not even a bookmark, is begun anew. */
export const watchSilenceTimeoutMs = 15_000;

/** Wait before the first new try of a list or a watch; doubled with each failure, plus up to half as much again by chance. */
export const minRetryMs = 200;

/** The most that it grows to: with what chance adds, a store that is back is followed within five seconds. */
export const maxRetryMs = 3_200;

/** Questions a second that look-ups of unknown objects may ask the store; as many at once to begin with. */
export const maxLiveLookups = 200;

/** A write that is done waits so long for the local view to have it. */
export const viewCatchUpTimeoutMs = 1_000;
