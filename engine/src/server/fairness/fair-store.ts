/**
 * A store whose writes and lists take turns by user. The store executes few writes at a time, and
 * each response takes time of the event loop, so hundreds of calls of one user would delay all
 * others. A request whose call gets no seat is refused.
 */

import type { Concurrency, Seat, SeatRequest } from '../../fairness/concurrency.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { type ObjectList, type Store, StoreError } from '../../ports/store.ts';
import { isPrivileged } from './exempt.ts';

/** Shares of the store, by user. */
export interface StoreShares {
  readonly writes: Concurrency;
  readonly lists: Concurrency;
  /** Lists that wait for a seat. Equal lists of a user are merged, since none of them has begun. */
  readonly waitingLists: Map<string, WaitingList>;
}

interface WaitingList {
  readonly clients: SharedIncoming;
  /** Resolves to `undefined` if the list gets no seat. */
  readonly listing: Promise<ObjectList | undefined>;
}

/** The request that calls the store. */
export interface StoreCaller {
  readonly user: UserInfo;
  readonly incoming: SeatRequest['incoming'];
  /** Releases the seat of the request, which the store's limit replaces from then on. */
  readonly releaseSeat: () => void;
  /** Called when a call of the request gets no seat. */
  readonly refuse: () => void;
}

/** The requests that wait for the same list; the list is canceled once all of them are. */
class SharedIncoming {
  readonly #controller = new AbortController();
  #requests = 0;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isCanceled(): boolean {
    return this.signal.aborted;
  }

  add({ signal }: SeatRequest['incoming']): void {
    this.#requests += 1;
    const leave = (): void => {
      this.#requests -= 1;
      if (this.#requests === 0) this.#controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
  }
}

/** Returns the store as a single request calls it. */
export const fairStore = (
  store: Store,
  { writes, lists, waitingLists }: StoreShares,
  { user, incoming, releaseSeat, refuse }: StoreCaller,
): Store => {
  if (isPrivileged(user)) return store;
  const request = { flow: [user.username], isMutating: true, incoming };
  const orRefused = <T>(result: T | undefined): T => {
    if (result !== undefined) return result;
    refuse();
    throw new StoreError('unavailable', 'too many requests are waiting');
  };
  const beginList = (key: string, list: () => Promise<ObjectList>): WaitingList => {
    const clients = new SharedIncoming();
    const execute = async (): Promise<ObjectList | undefined> =>
      withSeat(await lists.acquire({ ...request, incoming: clients }), () => {
        waitingLists.delete(key);
        return list();
      });
    const listing = execute().finally(() => {
      if (waitingLists.get(key) === waiting) waitingLists.delete(key);
    });
    const waiting = { clients, listing };
    waitingLists.set(key, waiting);
    return waiting;
  };
  const list: Store['list'] = async (resource, options) => {
    if (incoming.isCanceled) return orRefused<ObjectList>(undefined);
    const key = [resource, options?.namespace ?? '', user.username].join('\n');
    const waiting = waitingLists.get(key);
    const { clients, listing } =
      waiting === undefined || waiting.clients.isCanceled
        ? beginList(key, () => store.list(resource, options))
        : waiting;
    clients.add(incoming);
    return orRefused(await listing);
  };
  const withWriteSeat = async <T>(write: () => Promise<T>): Promise<T> => {
    const acquired = writes.acquire(request);
    if (acquired instanceof Promise) releaseSeat();
    return orRefused(await withSeat(await acquired, write));
  };
  const { requestDeletion } = store;
  return {
    get: (key) => store.get(key),
    list,
    watch: (resource, after, signal) => store.watch(resource, after, signal),
    create: (key, object) => withWriteSeat(() => store.create(key, object)),
    update: (key, object, only) => withWriteSeat(() => store.update(key, object, only)),
    delete: (key, only) => withWriteSeat(() => store.delete(key, only)),
    ...(requestDeletion === undefined
      ? {}
      : {
          requestDeletion: (last, options) => withWriteSeat(() => requestDeletion(last, options)),
        }),
    close: () => store.close(),
  };
};

/** Returns the result of the call, or `undefined` without a seat. */
const withSeat = async <T>(
  seat: Seat | undefined,
  call: () => Promise<T>,
): Promise<T | undefined> => {
  if (seat === undefined) return undefined;
  try {
    return await call();
  } finally {
    seat.release();
  }
};
