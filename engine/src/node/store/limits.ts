/** Limits of the stores and of the local view; each has a row in docs/limits.md. */

/** Changes that the memory store and the embedded store retain for watches. */
export const maxStoredEvents = 10_000;

/**
 * Age after which a retained change is removed, so that deleted objects do not stay on the disk.
 */
export const maxEventAgeMs = 10 * 60_000;

/** Changes that a watch reads at once. */
export const maxEventsPerRead = 500;

/** Interval between two bookmarks of a watch that has caught up. */
export const bookmarkIntervalMs = 2_000;

/** Interval at which the embedded store checks for writes of other processes. */
export const filePollMs = 100;

/** Interval at which the embedded store removes changes that are too old. */
export const fileSweepIntervalMs = 60_000;

/** Timeout for a database file that another process has locked. */
export const fileLockTimeoutMs = 2_000;

/** Attempts of an unconditional write while others write the same object. */
export const maxWriteAttempts = 16;

/** Timeout for a call to a remote store, all attempts together. */
export const storeCallTimeoutMs = 2_000;

/** Timeout for one member, after which the next one is used. */
export const memberCallTimeoutMs = 700;

/**
 * A connection to etcd on which nothing arrived for this long is checked with a PING, and closed
 * without a response within `memberCallTimeoutMs`. etcd closes connections of clients that send
 * PINGs more often.
 */
export const etcdPingIntervalMs = 5_000;

/** Timeout for a call to a cluster's API, admission included. */
export const apiCallTimeoutMs = 10_000;

/** Duration after which the cluster's API ends a watch, and the next one begins. */
export const shortWatchMs = 4_000;

/** Timeout for a whole list from a remote store. */
export const storeListTimeoutMs = 60_000;

/** Objects per page of such a list. */
export const maxPageObjects = 500;

/** Maximum size of a response or an event of a remote store. */
export const maxStoreResponseBytes = 64 * 1024 * 1024;

/** A watch without any event or bookmark for this long is restarted. */
export const watchSilenceTimeoutMs = 15_000;

/**
 * Delay before the first retry of a list or a watch; it doubles with each failure, plus up to half
 * of it as jitter.
 */
export const minRetryMs = 200;

/**
 * Upper limit of that delay: including jitter, a store that is back is followed within five
 * seconds.
 */
export const maxRetryMs = 3_200;

/** Lookups per second of objects that the cache lacks; also the burst. */
export const maxLiveLookups = 200;

/** Maximum time that a completed write waits until the local view contains it. */
export const viewCatchUpTimeoutMs = 1_000;
