/**
 * Lists a resource and watches it from there. After a failure the watch resumes, and the resource
 * is listed again only if its revision has been compacted. The objects that are already known
 * remain available; the reader decides whether they are too old.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Randomness } from '../../ports/randomness.ts';
import { type ObjectList, type Store, StoreError, type StoreEvent } from '../../ports/store.ts';
import { maxRetryMs, minRetryMs, watchSilenceTimeoutMs } from './limits.ts';

export interface ListAndWatchOptions {
  readonly store: Store;
  readonly resource: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Called with all objects and the monotonic time at which the list was requested. */
  onList(list: ObjectList, requestedAt: number): void;
  onEvent(event: StoreEvent): void;
  onFailure(reason: string): void;
}

/** Runs until the signal aborts; never rejects. */
export const listAndWatch = async (
  following: ListAndWatchOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { store, resource, clock, onList, onEvent, onFailure } = following;
  let revision: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (revision === undefined) {
        const requestedAt = clock.monotonic();
        const list = await unlessAborted(store.list(resource), signal);
        if (list === undefined) return;
        onList(list, requestedAt);
        revision = list.revision;
      }
      for await (const event of watchUntilSilent(following, revision, signal)) {
        onEvent(event);
        revision = event.kind === 'bookmark' ? event.revision : event.stored.revision;
        failures = 0;
      }
      if (!signal.aborted) onFailure('the watch ended');
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof StoreError && cause.problem === 'gone') revision = undefined;
      onFailure(cause instanceof Error ? cause.message : 'unknown failure');
    }
    failures += 1;
    await pause(following, failures, signal);
  }
};

/** Settles when the signal aborts, even if the store does not respond. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

/**
 * Watches until no event has arrived for too long: a dead connection does not report an error
 * either.
 */
async function* watchUntilSilent(
  { store, resource, clock }: ListAndWatchOptions,
  revision: string,
  signal: AbortSignal,
): AsyncGenerator<StoreEvent> {
  const silent = new AbortController();
  const startTimer = (): (() => void) => clock.after(watchSilenceTimeoutMs, () => silent.abort());
  let cancel = startTimer();
  try {
    for await (const event of store.watch(
      resource,
      revision,
      AbortSignal.any([signal, silent.signal]),
    )) {
      cancel();
      yield event;
      cancel = startTimer();
    }
    if (silent.signal.aborted) throw new StoreError('unavailable', 'no watch event in time');
  } finally {
    cancel();
  }
}

/**
 * Waits before a retry: longer with each failure, and with jitter, so that many servers do not
 * reconnect at once.
 */
const pause = (
  { clock, randomness }: ListAndWatchOptions,
  failures: number,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const waitMs = Math.min(minRetryMs * 2 ** Math.min(failures - 1, 16), maxRetryMs);
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(waitMs * (1 + randomness.fraction() / 2), wake);
    signal.addEventListener('abort', wake);
  });
