/**
 * Watches a store that retains its changes in order. The watch continues from its last revision, so
 * a slow reader blocks nothing and needs no buffer, until changes that it has not read are removed.
 */
import type { Clock } from '../../ports/clock.ts';
import type { StoreEvent } from '../../ports/store.ts';
import type { ChangeSignal } from './change-signal.ts';
import { bookmarkIntervalMs } from './limits.ts';

export interface Changes {
  readonly events: readonly StoreEvent[];
  /** Revision of the last event if there are more to read, otherwise the store's newest one. */
  readonly revision: string;
  readonly more: boolean;
}

export interface ChangeFeed {
  /** Returns events of the resource after the revision; rejects with `gone`. */
  changes(resource: string, after: string): Promise<Changes>;
  /** Notified after each change. */
  readonly changeSignal: ChangeSignal;
  readonly clock: Clock;
}

/** Emits the events after a revision until the signal aborts. */
export async function* watchChanges(
  { changes, changeSignal, clock }: ChangeFeed,
  resource: string,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<StoreEvent> {
  let revision = after;
  let bookmarkedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const seen = changeSignal.count();
    const batch = await changes(resource, revision);
    for (const event of batch.events) {
      if (signal.aborted) return;
      yield event;
    }
    revision = batch.revision;
    if (batch.more) continue;
    if (signal.aborted) return;
    if (clock.monotonic() - bookmarkedAt >= bookmarkIntervalMs) {
      bookmarkedAt = clock.monotonic();
      yield { kind: 'bookmark', revision };
    }
    await changeSignal.wait(seen, bookmarkedAt + bookmarkIntervalMs - clock.monotonic(), signal);
  }
}
