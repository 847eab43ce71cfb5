/** The shares of a listener in the memory of the process. */
import { ByteShare, type Holder } from './byte-share.ts';
import { headerReserve, type MemoryBudget, weights } from './memory-budget.ts';

/** Names of the shares in the metric `authgraph_connections_evicted_total`. */
export type ShareName = 'connections' | 'headers' | 'bodies' | 'answers';

export interface ServerMemoryOptions {
  readonly budget: MemoryBudget;
  /** Called for each connection that is closed because a share is used up. */
  readonly onEvicted: (share: ShareName) => void;
}

/** The part of the header share that HTTP/1.1 connections reserve. */
const reservedFraction = 0.5;

export class ServerMemory {
  readonly connections: ByteShare;
  readonly headers: ByteShare;
  readonly bodies: ByteShare;
  readonly responses: ByteShare;
  /** Values that one body may have. */
  readonly bodyValues: number;
  /** Reserves that are left for HTTP/1.1 connections, whose header fields are then not counted. */
  #freeReserves: number;

  constructor({ budget, onEvicted }: ServerMemoryOptions) {
    this.#freeReserves = Math.floor((budget.headerBytes * reservedFraction) / headerReserve);
    const reserved = this.#freeReserves * headerReserve;
    const share = (name: ShareName, limit: number): ByteShare =>
      new ByteShare({
        limit,
        sparesNewAndBusy: name === 'connections',
        onEvicted: () => onEvicted(name),
      });
    const byCount = budget.connections * weights.connection;
    this.connections = share('connections', Math.min(budget.connectionBytes, byCount));
    this.headers = share('headers', budget.headerBytes - reserved);
    this.bodies = share('bodies', budget.bodyBytes);
    this.bodyValues = budget.bodyValues;
    this.responses = share('answers', budget.responseBytes);
  }

  /**
   * Reserves room for the largest header block of an HTTP/1.1 connection. Returns a function that
   * releases the room, or `undefined` if none is left and the connection has to be counted.
   */
  reserveHeaders(): (() => void) | undefined {
    if (this.#freeReserves === 0) return undefined;
    this.#freeReserves -= 1;
    return () => {
      this.#freeReserves += 1;
    };
  }

  /** Calls `change`, which marks the connection as authenticated, and moves what it holds. */
  whileMoving(connection: Holder, change: () => void): void {
    const { connections, headers, bodies, responses } = this;
    const move = [connections, headers, bodies, responses].reduce(
      (inner, share) => () => share.whileMoving(connection, inner),
      change,
    );
    move();
  }
}
