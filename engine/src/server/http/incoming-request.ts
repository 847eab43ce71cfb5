/** A request as it arrives, in HTTP/1.1 or HTTP/2. */
import type { HeaderList } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';

/**
 * Method, target and header fields of a request as they were received, before any of them is
 * validated. Equal requests of a connection share one value.
 */
export interface RawRequest {
  readonly method: string;
  /** The target as it is written in the request line or in `:path`. */
  readonly rawTarget: string;
  /**
   * The header fields, except for a Content-Length that the connection has already checked against
   * the body.
   */
  readonly headers: HeaderList;
  /** The number of header fields that were received. */
  readonly fieldCount: number;
  readonly httpMajor: 1 | 2;
  readonly httpMinor: number;
}

/** A request as the listener passes it to the handler. */
export interface IncomingRequest {
  readonly request: RawRequest;
  /** The socket or HTTP/2 connection; only its identity is used. */
  readonly connection: object;
  /** The IP address of the client; empty if the connection is gone. */
  readonly clientAddress: string;
  /** The certificates that the client presented in the handshake; absent if it presented none. */
  readonly certificates: PeerCertificates | undefined;
  /**
   * Aborts when the client is gone or the deadline has passed (`deadlineExceeded`). Created on
   * first use.
   */
  readonly signal: AbortSignal;
  /** True once the signal is aborted; does not create the signal. */
  readonly isCanceled: boolean;
  /** Reads the body, at most `limit` bytes of it. No byte is read before this is called. */
  readBody(limit: number): Promise<BodyBytes>;
  /** True once the whole body has arrived. */
  readonly isComplete: boolean;
  /** Assigns the event loop time of the connection to the user. */
  setUsername(username: string): void;
  /**
   * Abandons the request before it is answered: work for it is canceled, and its body reads as
   * broken.
   */
  abandon(): void;
}

export type BodyBytes =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** The body is incomplete or arrived too late. */
  | { readonly kind: 'broken' };
