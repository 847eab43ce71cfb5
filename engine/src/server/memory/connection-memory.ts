/**
 * What a connection holds of the shares of all connections. Small amounts are covered by the weight
 * of a connection and are not reported to a share, so that a typical request costs a few additions.
 */
import { hasFewValues } from './body-values.ts';
import type { ByteShare, Holder } from './byte-share.ts';
import { weights } from './memory-budget.ts';
import type { ServerMemory } from './server-memory.ts';

/** Bytes of each share that the weight of a connection covers. */
const freeBytes = 16 * 1024;
/** Amounts are reported to a share in steps of so many bytes. */
const step = 16 * 1024;

/** The part of a share that one connection holds. */
export class HeldBytes {
  readonly #share: ByteShare;
  readonly #holder: Holder;
  #bytes = 0;
  #reported = 0;
  #isReleased = false;

  constructor(share: ByteShare, holder: Holder) {
    this.#share = share;
    this.#holder = holder;
  }

  /** Adds bytes, or releases them with a negative number. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    this.#bytes += bytes;
    if (this.#bytes > Math.max(this.#reported, freeBytes)) {
      this.#report(Math.ceil(this.#bytes / step) * step);
    } else if (this.#reported > 0 && this.#bytes <= this.#reported / 2) {
      this.#report(this.#bytes <= freeBytes ? 0 : Math.ceil(this.#bytes / step) * step);
    }
  }

  /** Releases everything: the connection is gone. */
  release(): void {
    this.#isReleased = true;
    this.#report(0);
  }

  #report(bytes: number): void {
    if (bytes === this.#reported) return;
    this.#reported = bytes;
    this.#share.hold(this.#holder, bytes);
  }
}

/** The memory of one connection, from its first byte to its end. */
export class ConnectionMemory implements Holder {
  readonly client: string;
  readonly headers: HeldBytes;
  readonly bodies: HeldBytes;
  readonly responses: HeldBytes;
  readonly #memory: ServerMemory;
  readonly #close: () => void;
  #requests = 0;
  #isAuthenticated = false;
  #isClosed = false;

  constructor(memory: ServerMemory, client: string, close: () => void) {
    this.client = client;
    this.#memory = memory;
    this.#close = close;
    this.headers = new HeldBytes(memory.headers, this);
    this.bodies = new HeldBytes(memory.bodies, this);
    this.responses = new HeldBytes(memory.responses, this);
    memory.connections.hold(this, weights.handshake);
  }

  get isAuthenticated(): boolean {
    return this.#isAuthenticated;
  }

  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Requests of the connection that are being processed. */
  get requests(): number {
    return this.#requests;
  }

  /** Marks the handshake as complete; the client sent certificates of so many bytes. */
  markEstablished(certificateBytes: number): void {
    if (this.#isClosed) return;
    const bytes = weights.connection + certificateBytes * weights.certificateByte;
    this.#memory.connections.hold(this, bytes);
  }

  /** Marks the connection as authenticated: a request had a user other than the anonymous one. */
  markAuthenticated(): void {
    if (this.#isAuthenticated || this.#isClosed) return;
    this.#memory.whileMoving(this, () => {
      this.#isAuthenticated = true;
    });
  }

  /** Returns true if there is memory for the body once it is parsed. */
  canParse(body: Uint8Array): boolean {
    return hasFewValues(body, this.#memory.bodyValues);
  }

  beginRequest(): void {
    this.#requests += 1;
    if (this.#memory.connections.isCrowded) this.#memory.connections.touch(this);
  }

  endRequest(): void {
    this.#requests -= 1;
  }

  evict(): void {
    this.#close();
  }

  /** Releases everything: the socket is closed. */
  markClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.headers.release();
    this.bodies.release();
    this.responses.release();
    this.#memory.connections.release(this);
  }
}

/** Returns the size of a certificate chain in bytes. */
export const chainBytes = (chain: readonly Uint8Array[] | undefined): number =>
  chain?.reduce((sum, { length }) => sum + length, 0) ?? 0;
