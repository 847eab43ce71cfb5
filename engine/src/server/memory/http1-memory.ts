/**
 * Counts the header fields of HTTP/1.1 connections. Node's parser holds them until a request is
 * complete and reports nothing before. The first connections reserve room for the largest header
 * block, so that nothing has to be counted; each further one is read in JavaScript, which takes a
 * little more time for each request, and its bytes are counted as they arrive.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionMemory } from './connection-memory.ts';
import type { ServerMemory } from './server-memory.ts';

/** Small fields take more memory than their bytes; it is counted up to this size. */
const smallBlock = 8 * 1024;
/** Memory for each of these bytes, as objects and strings of short fields. */
const smallWeight = 8;

/** Returns the memory that header fields of so many bytes take. */
export const headerWeight = (bytes: number): number =>
  bytes + smallWeight * Math.min(bytes, smallBlock);

/** The header fields of one HTTP/1.1 connection. */
export class Http1Memory {
  readonly connection: ConnectionMemory;
  readonly #isReserved: boolean;
  /** Bytes since the last complete header block. */
  #arriving = 0;

  /** Called after Node's parser was attached to the socket. */
  constructor(socket: Duplex, connection: ConnectionMemory, memory: ServerMemory) {
    this.connection = connection;
    const releaseReserve = memory.reserveHeaders();
    this.#isReserved = releaseReserve !== undefined;
    if (releaseReserve === undefined) {
      socket.prependListener('data', (piece: Uint8Array) => this.#onData(piece.length));
    } else {
      socket.once('close', releaseReserve);
    }
  }

  /** Counts a complete header block until the response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { connection } = this;
    connection.beginRequest();
    const held = this.#isReserved ? this.#countPipelined(request) : this.#countArrived(request);
    response.once('close', () => {
      connection.endRequest();
      if (held > 0) connection.headers.add(-held);
    });
  }

  /** Called when a part of the body was read: those bytes are not header fields. */
  onBodyRead(): void {
    if (this.#arriving === 0) return;
    this.connection.headers.add(-headerWeight(this.#arriving));
    this.#arriving = 0;
  }

  /**
   * Counts pipelined requests, which are all processed at the same time, while the reserve has room
   * for one of them.
   */
  #countPipelined(request: IncomingMessage): number {
    if (this.connection.requests === 1) return 0;
    const held = headerWeight(blockBytes(request));
    this.connection.headers.add(held);
    return held;
  }

  #countArrived(request: IncomingMessage): number {
    const counted = headerWeight(this.#arriving);
    // Fewer bytes remain than arrived if the body of an earlier request was discarded.
    const held =
      this.#arriving > smallBlock ? Math.min(counted, headerWeight(blockBytes(request))) : counted;
    this.#arriving = 0;
    if (held < counted) this.connection.headers.add(held - counted);
    return held;
  }

  #onData(bytes: number): void {
    const before = headerWeight(this.#arriving);
    this.#arriving += bytes;
    this.connection.headers.add(headerWeight(this.#arriving) - before);
  }
}

const blockBytes = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length, url.length);
