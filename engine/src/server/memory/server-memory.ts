/** The shares of one listener in the memory of the process, and what is counted of them. */
import { ByteShare } from './byte-share.ts';
import type { ConnectionMemory } from './connection-memory.ts';
import { headerReserve, type MemoryBudget, weights } from './memory-budget.ts';

/** Names of the shares, as the metric `authgraph_connections_evicted_total` has them. */
export type ShareName = 'connections' | 'headers' | 'bodies' | 'answers';

export interface ServerMemoryOptions {
  readonly budget: MemoryBudget;
  /** Called for each connection that is closed because a share is used up. */
  readonly onEvicted: (share: ShareName) => void;
}

/** The half of the header share that HTTP/1.1 connections reserve as a whole. */
const reservedFraction = 0.5;

export class ServerMemory {
  readonly connections: ByteShare;
  readonly headers: ByteShare;
  readonly bodies: ByteShare;
  readonly responses: ByteShare;
  /** Values that one body may have. */
  readonly bodyValues: number;
  /** HTTP/1.1 connections whose header fields are not counted: there is room for the largest. */
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
   * Reserves room for all header fields that an HTTP/1.1 connection can hold. Returns a function that
   * releases the room, or `undefined` where none is left and the connection has to be counted.
   */
  reserveHeaders(): (() => void) | undefined {
    if (this.#freeReserves === 0) return undefined;
    this.#freeReserves -= 1;
    return () => {
      this.#freeReserves += 1;
    };
  }

  /** Calls `change`, which makes the connection an authenticated one, and moves what it holds. */
  whileMoving(connection: ConnectionMemory, change: () => void): void {
    const { connections, headers, bodies, responses } = this;
    const move = [connections, headers, bodies, responses].reduce(
      (inner, share) => () => share.whileMoving(connection, inner),
      change,
    );
    move();
  }
}
