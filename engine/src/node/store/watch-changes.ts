/**
 * A watch on a store that remembers its changes in order: it reads on from where it stands, so that a
 * slow reader holds nothing up and needs no buffer, until what it has not read is forgotten.
 */
import type { Clock } from '../../ports/clock.ts';
import type { StoreEvent } from '../../ports/store.ts';
import type { ChangeSignal } from './change-signal.ts';
import { bookmarkIntervalMs } from './limits.ts';

export interface Changes {
  readonly events: readonly StoreEvent[];
  /** Of the last event where there are more to read, otherwise the store's newest one. */
  readonly revision: string;
  readonly more: boolean;
}

export interface ChangeFeed {
  /** Events of the resource after the revision; rejects with `gone`. */
  changes(resource: string, after: string): Promise<Changes>;
  /** Rung after each change. */
  readonly changeSignal: ChangeSignal;
  readonly clock: Clock;
}

/** Ends with the signal. */
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
