/** The streams of a connection: the open ones, and the state of all others (RFC 9113, 5.1). */
import type { Http2Stream } from './stream.ts';

/** The state of a stream identifier. */
export type StreamState =
  | { readonly kind: 'open'; readonly stream: Http2Stream }
  /** The identifier is not used yet, or clients cannot use it. */
  | { readonly kind: 'idle' }
  /** The server has reset the stream; the client may not have received RST_STREAM yet. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'closed' }
  /** The client skipped the identifier, or its stream was closed long ago. */
  | { readonly kind: 'past' };

/** The streams of a single connection. */
export class Streams {
  readonly #open = new Map<number, Http2Stream>();
  readonly #closed: RecentIds;
  readonly #reset: RecentIds;
  #lastId = 0;
  #idleSince = performance.now();

  constructor({ maxStreams }: { readonly maxStreams: number }) {
    this.#closed = new RecentIds(maxStreams);
    this.#reset = new RecentIds(maxStreams);
  }

  /** The time since which no stream is open, initially the start of the connection. */
  get idleSince(): number {
    return this.#idleSince;
  }

  /** The highest identifier that the client has used. */
  get lastId(): number {
    return this.#lastId;
  }

  get size(): number {
    return this.#open.size;
  }

  all(): readonly Http2Stream[] {
    return [...this.#open.values()];
  }

  find(id: number): StreamState {
    const stream = this.#open.get(id);
    if (stream !== undefined) return { kind: 'open', stream };
    if (id > this.#lastId || id % 2 === 0) return idle;
    if (this.#reset.has(id)) return reset;
    return this.#closed.has(id) ? closed : past;
  }

  isOpen({ id }: Http2Stream): boolean {
    return this.#open.has(id);
  }

  /** Marks an identifier as used, before its stream is added. */
  markUsed(id: number): void {
    this.#lastId = id;
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
  }

  remove({ id }: Http2Stream): void {
    this.#removeOpen(id);
    this.#closed.add(id);
  }

  /** Marks a stream, open or not, as reset by the server. */
  markReset(id: number): void {
    this.#removeOpen(id);
    this.#reset.add(id);
  }

  #removeOpen(id: number): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#idleSince = performance.now();
  }
}

const idle = { kind: 'idle' } as const;
const reset = { kind: 'reset' } as const;
const closed = { kind: 'closed' } as const;
const past = { kind: 'past' } as const;

/**
 * The most recently added stream identifiers. Each has one slot, so that a lookup takes constant
 * time; an identifier is forgotten when another one with the same slot is added.
 */
class RecentIds {
  readonly #ids: Int32Array;

  constructor(count: number) {
    this.#ids = new Int32Array(Math.min(count, maxRecentIds));
  }

  add(id: number): void {
    this.#ids[this.#slotOf(id)] = id;
  }

  has(id: number): boolean {
    return this.#ids[this.#slotOf(id)] === id;
  }

  /** Clients use odd stream numbers. */
  #slotOf(id: number): number {
    return (id >>> 1) % this.#ids.length;
  }
}

/** Limits the memory of a connection if clients may have any number of streams. */
const maxRecentIds = 1024;
