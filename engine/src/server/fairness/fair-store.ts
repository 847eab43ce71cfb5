/**
 * A store whose writes and lists take turns by user. The store does one write after the other, or a few,
 * and each answer costs time of the event loop, so hundreds of calls of one user would keep all others
 * waiting. A request whose call gets no seat is refused.
 */

import type { Concurrency, SeatRequest } from '../../fairness/concurrency.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { type ObjectList, type Store, StoreError } from '../../ports/store.ts';
import { isPrivileged } from './exempt.ts';

/** Calls of users to the store. */
export interface StoreShares {
  readonly writes: Concurrency;
  readonly lists: Concurrency;
  /** Lists that wait for a seat: equal ones of a user become one, since none of them has begun. */
  readonly waitingLists: Map<string, WaitingList>;
}

interface WaitingList {
  readonly clients: SharedIncoming;
  /** `undefined` where the list gets no seat. */
  readonly listing: Promise<ObjectList | undefined>;
}

/** The request that calls the store. */
export interface StoreCaller {
  readonly user: UserInfo;
  readonly incoming: SeatRequest['incoming'];
  /** Called when a call of the request gets no seat. */
  readonly refuse: () => void;
}

/** The requests that wait for the same list, which are given up once each of them is. */
class SharedIncoming {
  readonly #controller = new AbortController();
  #requests = 0;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isGivenUp(): boolean {
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

/** The store as one request calls it. */
export const fairStore = (
  store: Store,
  { writes, lists, waitingLists }: StoreShares,
  { user, incoming, refuse }: StoreCaller,
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
    const listing = withSeat(lists, { ...request, incoming: clients }, () => {
      waitingLists.delete(key);
      return list();
    }).finally(() => {
      if (waitingLists.get(key) === waiting) waitingLists.delete(key);
    });
    const waiting = { clients, listing };
    waitingLists.set(key, waiting);
    return waiting;
  };
  const list: Store['list'] = async (resource, options) => {
    if (incoming.isGivenUp) return orRefused<ObjectList>(undefined);
    const key = [resource, options?.namespace ?? '', user.username].join('\n');
    const waiting = waitingLists.get(key);
    const { clients, listing } =
      waiting === undefined || waiting.clients.isGivenUp
        ? beginList(key, () => store.list(resource, options))
        : waiting;
    clients.add(incoming);
    return orRefused(await listing);
  };
  const withWriteSeat = async <T>(write: () => Promise<T>): Promise<T> =>
    orRefused(await withSeat(writes, request, write));
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

/** What the call returns, or `undefined` where it gets no seat. */
const withSeat = async <T>(
  calls: Concurrency,
  request: SeatRequest,
  call: () => Promise<T>,
): Promise<T | undefined> => {
  const seat = await calls.acquire(request);
  if (seat === undefined) return undefined;
  try {
    return await call();
  } finally {
    seat.release();
  }
};
