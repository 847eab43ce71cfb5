/** The streams of a connection: which are open, and what became of the others (RFC 9113, 5.1). */
import type { Http2Stream } from './stream.ts';

/** What an identifier stands for. */
export type StreamState =
  | { readonly kind: 'open'; readonly stream: Http2Stream }
  /** Not used yet, or none that a client could use. */
  | { readonly kind: 'idle' }
  /** Reset by us, so that the client may not know yet. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'closed' }
  /** Left out by the client, or closed long ago. */
  | { readonly kind: 'past' };

/** Of one connection. */
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

  /** Since when no stream is open; of one that was never open nothing counts. */
  get idleSince(): number {
    return this.#idleSince;
  }

  /** The highest that the client used. */
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

  /** The client uses it; it is not open yet. */
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

  /** We reset it, open or not. */
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
 * Stream identifiers that were added last. Each has one slot, so that a look-up costs the same however
 * many there are; an identifier is forgotten when one that is a multiple of the slots away is added.
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

  /** Identifiers of clients are odd. */
  #slotOf(id: number): number {
    return (id >>> 1) % this.#ids.length;
  }
}

/** Bounds the memory of a connection where clients may have any number of streams. */
const maxRecentIds = 1024;
