/**
 * Bytes that all connections share. The share records how many bytes each connection holds; when
 * the limit is passed, it evicts the connection that is most likely abusive, so that new clients
 * are not locked out.
 */

/** A connection that holds bytes of the share. */
export interface Holder {
  /** The address of the client; connections of one client count together. */
  readonly client: string;
  /** True if the client has authenticated on this connection. */
  readonly isAuthenticated: boolean;
  /** True while a request of the connection is being processed. */
  readonly isBusy: boolean;
  /** Closes the connection. */
  evict(): void;
}

export interface ByteShareOptions {
  readonly limit: number;
  /**
   * Spares the connection that requests bytes, and authenticated connections with a request in
   * progress. Otherwise the largest holders are evicted, even while they are busy.
   */
  readonly sparesNewAndBusy: boolean;
  /** Called once for each connection that is evicted. */
  readonly onEvicted: () => void;
}

/** Clients whose bytes are compared; more would take time for each eviction. */
const maxCompared = 256;
/** Connections of one client that are searched for an idle one. */
const maxSearched = 64;

/** The connections of one client, least recently used first, and the sum of their bytes. */
interface Client {
  bytes: number;
  readonly holders: Map<Holder, number>;
}

type Clients = Map<string, Client>;

/** A share of the memory budget. */
export class ByteShare {
  readonly #options: ByteShareOptions;
  #used = 0;
  readonly #unauthenticated: Clients = new Map();
  readonly #authenticated: Clients = new Map();

  constructor(options: ByteShareOptions) {
    this.#options = options;
  }

  get used(): number {
    return this.#used;
  }

  /** True if evictions are near, so that the order of use matters. */
  get isCrowded(): boolean {
    return this.#used > this.#options.limit / 2;
  }

  /** Sets how many bytes the connection holds; this may evict others, or the connection itself. */
  hold(holder: Holder, bytes: number): void {
    this.#set(holder, bytes);
    while (this.#used > this.#options.limit) {
      const victim = this.#choose(holder);
      this.#set(victim, 0);
      this.#options.onEvicted();
      victim.evict();
      if (victim === holder) return;
    }
  }

  release(holder: Holder): void {
    this.#set(holder, 0);
  }

  /** Marks the connection as recently used: it is evicted after the others of its client. */
  touch(holder: Holder): void {
    const holders = this.#clients(holder).get(holder.client)?.holders;
    const bytes = holders?.get(holder);
    if (holders === undefined || bytes === undefined) return;
    holders.delete(holder);
    holders.set(holder, bytes);
  }

  /** Calls `change`, which marks the connection as authenticated, and moves its bytes. */
  whileMoving(holder: Holder, change: () => void): void {
    const bytes = this.#clients(holder).get(holder.client)?.holders.get(holder) ?? 0;
    this.#set(holder, 0);
    change();
    this.#set(holder, bytes);
  }

  #clients({ isAuthenticated }: Holder): Clients {
    return isAuthenticated ? this.#authenticated : this.#unauthenticated;
  }

  #set(holder: Holder, bytes: number): void {
    const clients = this.#clients(holder);
    const client = clients.get(holder.client);
    const before = client?.holders.get(holder) ?? 0;
    if (bytes === before) return;
    this.#used += bytes - before;
    if (client === undefined) {
      clients.set(holder.client, { bytes, holders: new Map([[holder, bytes]]) });
      return;
    }
    client.bytes += bytes - before;
    if (bytes > 0) client.holders.set(holder, bytes);
    else client.holders.delete(holder);
    if (client.holders.size === 0) clients.delete(holder.client);
  }

  /**
   * Chooses the connection to evict: unauthenticated before authenticated, and of the client with
   * most bytes the least recently used one.
   */
  #choose(newest: Holder): Holder {
    const { sparesNewAndBusy } = this.#options;
    const isEvictable = (holder: Holder): boolean => !sparesNewAndBusy || holder !== newest;
    return (
      oldestOf(this.#unauthenticated, newest, isEvictable) ??
      oldestOf(
        this.#authenticated,
        newest,
        (holder) => isEvictable(holder) && !(sparesNewAndBusy && holder.isBusy),
      ) ??
      newest
    );
  }
}

const oldestOf = (
  clients: Clients,
  newest: Holder,
  isCandidate: (holder: Holder) => boolean,
): Holder | undefined => {
  const compared: Client[] = [];
  for (const client of clients.values()) {
    if (compared.length >= maxCompared) break;
    compared.push(client);
  }
  // The connecting client may be the one that floods the server.
  const own = clients.get(newest.client);
  if (own !== undefined && !compared.includes(own)) compared.push(own);
  compared.sort((left, right) => right.bytes - left.bytes);
  for (const { holders } of compared) {
    let searched = 0;
    for (const holder of holders.keys()) {
      if (isCandidate(holder)) return holder;
      searched += 1;
      if (searched >= maxSearched) break;
    }
  }
  return undefined;
};
