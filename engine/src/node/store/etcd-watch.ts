/**
 * Watches one resource in etcd. A member reports only its own progress, so a bookmark is
 * emitted once the stream has reached a revision that a linearizable read returned.
 */
import { type StoredObject, StoreError, type StoreEvent } from '../../ports/store.ts';
import type { Event, KeyValue, WatchResponse } from './etcd_pb.ts';
import type { EtcdStream } from './etcd-member.ts';
import { type EtcdMembers, isRefusal, storeErrorOf } from './etcd-members.ts';
import {
  type EtcdObject,
  prefixRangeEnd,
  progressRequest,
  rangeRequest,
  revisionOf,
  watchRequest,
} from './etcd-messages.ts';
import { bookmarkIntervalMs } from './limits.ts';
import { goneError, parseEtcdRevision } from './stored-object.ts';

export interface EtcdWatch {
  readonly members: EtcdMembers;
  /** Prefix of the keys of the resource. */
  readonly prefix: string;
  readonly after: string;
  readonly signal: AbortSignal;
  readonly objectOf: (pair: EtcdObject) => StoredObject;
}

/** Emits the events after a revision until the signal aborts. */
export async function* watchEtcd(watch: EtcdWatch): AsyncGenerator<StoreEvent> {
  const { members, prefix, after, signal } = watch;
  const from = parseEtcdRevision(after);
  if (signal.aborted) return;
  const readRevision = async (): Promise<bigint> => {
    const request = rangeRequest({ from: prefix, to: prefixRangeEnd(prefix), countOnly: true });
    return revisionOf(await members.range(request));
  };
  // A revision in the future belongs to another cluster, or to one that was restored from a backup.
  if (from > (await readRevision())) throw goneError(after);
  const stream = members.watch();
  const closeStream = (): void => stream.close();
  signal.addEventListener('abort', closeStream);
  stream.send(watchRequest(prefix, prefixRangeEnd(prefix), from + 1n));
  const progressRequests = requestProgress(readRevision, stream);
  let lastResponseAt = performance.now();
  let bookmarkRevision = from;
  try {
    for await (const response of stream.responses) {
      lastResponseAt = performance.now();
      if (response.canceled) throw canceledError(response, after);
      for (const event of response.events) {
        if (event.kv === undefined) continue;
        if (signal.aborted) return;
        yield eventOf(event, event.kv, watch);
        bookmarkRevision = latest(bookmarkRevision, event.kv.modRevision);
      }
      if (signal.aborted) return;
      if (!progressRequests.confirm(revisionOf(response))) continue;
      // Releases before 3.4.25 may report progress shortly before the changes that belong to it, so
      // only the progress of the previous report is certain.
      yield { kind: 'bookmark', revision: String(bookmarkRevision) };
      bookmarkRevision = latest(bookmarkRevision, revisionOf(response));
    }
  } catch (cause) {
    const error = storeErrorOf(cause);
    if (error.problem === 'unavailable' && !isRefusal(cause)) members.switchMember();
    throw error;
  } finally {
    progressRequests.stop();
    signal.removeEventListener('abort', closeStream);
    stream.close();
    if (performance.now() - lastResponseAt > 2 * bookmarkIntervalMs) members.switchMember();
  }
}

interface ProgressRequests {
  /**
   * Returns whether the stream has reached the revision of the last read, and clears that revision.
   */
  confirm(revision: bigint): boolean;
  stop(): void;
}

const requestProgress = (
  readRevision: () => Promise<bigint>,
  stream: EtcdStream,
): ProgressRequests => {
  let pendingRevision: bigint | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const requestAgain = async (): Promise<void> => {
    try {
      pendingRevision = await readRevision();
      stream.send(progressRequest);
    } catch {
      // Without a bookmark, the view becomes stale and reports that itself.
    }
    if (stopped) return;
    timer = setTimeout(requestAgain, bookmarkIntervalMs);
    timer.unref();
  };
  void requestAgain();
  return {
    confirm(revision) {
      if (pendingRevision === undefined || revision < pendingRevision) return false;
      pendingRevision = undefined;
      return true;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

const latest = (left: bigint, right: bigint): bigint => (left > right ? left : right);

const canceledError = (
  { compactRevision, cancelReason }: WatchResponse,
  after: string,
): StoreError =>
  compactRevision > 0n || cancelReason.includes('compacted')
    ? goneError(after)
    : new StoreError('unavailable', `etcd ended the watch: ${cancelReason}`);

const eventDelete = 1;

const eventOf = ({ type, prevKv }: Event, kv: KeyValue, watch: EtcdWatch): StoreEvent => {
  if (type !== eventDelete) {
    return { kind: prevKv === undefined ? 'added' : 'modified', stored: watch.objectOf(kv) };
  }
  // The previous state was compacted before the watch reached the deletion.
  if (prevKv === undefined) throw goneError(watch.after);
  return { kind: 'deleted', stored: watch.objectOf({ ...kv, value: prevKv.value }) };
};
