/**
 * A watch on a store that remembers its changes in order: it reads on from where it stands, so that a
 * slow reader holds nothing up and needs no buffer, until what it has not read is forgotten.
 */
import type { Clock } from '../../ports/clock.ts';
import type { StoreEvent } from '../../ports/store.ts';
import type { Bell } from './change-signal.ts';
import { bookmarkMs } from './limits.ts';

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
  readonly bell: Bell;
  readonly clock: Clock;
}

/** Ends with the signal. */
export async function* followChanges(
  { changes, bell, clock }: ChangeFeed,
  resource: string,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<StoreEvent> {
  let revision = after;
  let toldAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const heard = bell.rings();
    const read = await changes(resource, revision);
    for (const event of read.events) {
      if (signal.aborted) return;
      yield event;
    }
    revision = read.revision;
    if (read.more) continue;
    if (signal.aborted) return;
    if (clock.monotonic() - toldAt >= bookmarkMs) {
      toldAt = clock.monotonic();
      yield { kind: 'bookmark', revision };
    }
    await bell.next(heard, toldAt + bookmarkMs - clock.monotonic(), signal);
  }
}
