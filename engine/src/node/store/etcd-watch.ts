/**
 * A watch of one resource in etcd. A member tells only what it knows itself, so a bookmark is given
 * when the cluster was asked for its revision, by a read that a majority confirms, and the stream has
 * come at least so far.
 */
import { type StoredObject, StoreError, type StoreEvent } from '../../ports/store.ts';
import type { WatchResponse } from './etcd_pb.ts';
import type { EtcdStream } from './etcd-member.ts';
import { type EtcdMembers, isRefusal, storeErrorOf } from './etcd-members.ts';
import {
  type EtcdEntry,
  type EtcdEvent,
  endOf,
  eventsOf,
  progressRequest,
  rangeRequest,
  revisionOf,
  watchRequest,
} from './etcd-messages.ts';
import { bookmarkMs } from './limits.ts';
import { etcdRevision, goneError } from './stored-object.ts';

export interface EtcdWatch {
  readonly members: EtcdMembers;
  /** Names in it end in the paths of objects. */
  readonly folder: string;
  readonly after: string;
  readonly signal: AbortSignal;
  readonly objectOf: (entry: EtcdEntry, path: string) => StoredObject;
}

/** Ends with the signal. */
export async function* watchEtcd(watch: EtcdWatch): AsyncGenerator<StoreEvent> {
  const { members, folder, after, signal } = watch;
  const from = etcdRevision(after);
  if (signal.aborted) return;
  const ask = async (): Promise<bigint> => {
    const request = rangeRequest({ from: folder, to: endOf(folder), countOnly: true });
    return revisionOf(await members.range(request));
  };
  // A revision from the future is one of another cluster, or of one that was set back.
  if (from > (await ask())) throw goneError(after);
  const stream = members.watch();
  const leave = (): void => stream.close();
  signal.addEventListener('abort', leave);
  stream.send(watchRequest(folder, endOf(folder), from + 1n));
  const questions = askRepeatedly(ask, stream);
  let answeredAt = performance.now();
  let marked = from;
  try {
    for await (const response of stream.responses) {
      answeredAt = performance.now();
      if (response.canceled) throw canceledError(response, after);
      for (const event of eventsOf(response)) {
        if (signal.aborted) return;
        yield eventOf(event, watch);
        marked = later(marked, event.entry.revision);
      }
      if (signal.aborted) return;
      if (!questions.answeredBy(revisionOf(response))) continue;
      // Releases before 3.4.25 may tell their progress a moment before the changes that belong to
      // it: what was told the last time is certain by now.
      yield { kind: 'bookmark', revision: String(marked) };
      marked = later(marked, revisionOf(response));
    }
  } catch (cause) {
    const error = storeErrorOf(cause);
    if (error.problem === 'unavailable' && !isRefusal(cause)) members.leave();
    throw error;
  } finally {
    questions.stop();
    signal.removeEventListener('abort', leave);
    stream.close();
    if (performance.now() - answeredAt > 2 * bookmarkMs) members.leave();
  }
}

interface Questions {
  /** Is the last question answered by a stream that is so far? */
  answeredBy(revision: bigint): boolean;
  stop(): void;
}

const askRepeatedly = (ask: () => Promise<bigint>, stream: EtcdStream): Questions => {
  let wanted: bigint | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const again = async (): Promise<void> => {
    try {
      wanted = await ask();
      stream.send(progressRequest);
    } catch {
      // No bookmark then: the reader sees the view grow old.
    }
    if (stopped) return;
    timer = setTimeout(again, bookmarkMs);
    timer.unref();
  };
  void again();
  return {
    answeredBy(revision) {
      if (wanted === undefined || revision < wanted) return false;
      wanted = undefined;
      return true;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

const later = (left: bigint, right: bigint): bigint => (left > right ? left : right);

const canceledError = (
  { compactRevision, cancelReason }: WatchResponse,
  after: string,
): StoreError =>
  compactRevision > 0n || cancelReason.includes('compacted')
    ? goneError(after)
    : new StoreError('unavailable', `etcd ended the watch: ${cancelReason}`);

const eventOf = ({ kind, entry, before }: EtcdEvent, watch: EtcdWatch): StoreEvent => {
  const path = entry.name.slice(watch.folder.length);
  if (kind === 'put') {
    return {
      kind: before === undefined ? 'added' : 'modified',
      stored: watch.objectOf(entry, path),
    };
  }
  // The last state was forgotten before we came to it.
  if (before === undefined) throw goneError(watch.after);
  const last = { ...entry, value: before.value };
  return { kind: 'deleted', stored: watch.objectOf(last, path) };
};
