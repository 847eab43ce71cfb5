/**
 * How far the local views of the workers have followed the store. A write is acknowledged once all
 * of them contain it, so that a client that deleted a service account is not authenticated by it
 * afterwards, whichever worker it reaches.
 */
import { viewCatchUpTimeoutMs } from '../../node/store/limits.ts';
import { isReached } from '../../node/store/read-own-writes.ts';
import type { Clock } from '../../ports/clock.ts';

/** The watch of one view. */
export interface ViewPosition {
  /** Reports that the view has processed everything up to the revision. */
  reach(revision: string): void;
  /** Ends the watch; no write waits for it any more. */
  end(): void;
}

export interface ViewPositions {
  begin(resource: string, revision: string): ViewPosition;
  /** Resolves once all views have reached the revision, or after a second. */
  whenReached(resource: string, revision: string): Promise<void>;
}

export const viewPositions = (clock: Pick<Clock, 'after'>): ViewPositions => {
  const positions = new Set<{ readonly resource: string; revision: string }>();
  const waiting = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of [...waiting]) wake();
  };
  const isReachedByAll = (wanted: string, revision: string): boolean =>
    [...positions].every(
      (position) => position.resource !== wanted || isReached(position.revision, revision),
    );
  return {
    begin(resource, revision) {
      const position = { resource, revision };
      positions.add(position);
      return {
        reach(next) {
          position.revision = next;
          wakeAll();
        },
        end() {
          positions.delete(position);
          wakeAll();
        },
      };
    },
    whenReached: (resource, revision) =>
      new Promise((resolve) => {
        if (isReachedByAll(resource, revision)) return resolve();
        const done = (): void => {
          cancel();
          waiting.delete(wake);
          resolve();
        };
        const cancel = clock.after(viewCatchUpTimeoutMs, done);
        const wake = (): void => {
          if (isReachedByAll(resource, revision)) done();
        };
        waiting.add(wake);
      }),
  };
};
