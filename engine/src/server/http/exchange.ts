/** One request on its way through the server: what is known of it, and what its answer must carry. */
import type { HeaderList } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import type { RequestInfo } from './request-info.ts';
import type { Target } from './target.ts';

/** The head of a request: off the wire, nothing believed. Equal requests of a connection share one. */
export interface RawRequest {
  readonly method: string;
  /** As written in the request line or in `:path`. */
  readonly rawTarget: string;
  /** Without the length of a body that the connection has already held against it. */
  readonly headers: HeaderList;
  /** How many fields were sent. */
  readonly fieldCount: number;
  readonly httpMajor: 1 | 2;
  readonly httpMinor: number;
}

/** A request as the listener hands it over. */
export interface IncomingRequest {
  readonly request: RawRequest;
  /** The socket or session; only its identity is used. */
  readonly connection: object;
  /** The IP address of the client; empty where the connection is gone. */
  readonly clientAddress: string;
  /** What the client of the connection showed; absent where it showed nothing. */
  readonly certificates: PeerCertificates | undefined;
  /** Aborts when nobody waits for the answer, or its time is over (`timeIsOver`). Costs something to ask for. */
  readonly signal: AbortSignal;
  /** Is it so? Costs nothing to ask for. */
  readonly isGivenUp: boolean;
  /** Reads the body, at most `limit` bytes of it. Nothing of it is read before this is called. */
  readBody(limit: number): Promise<BodyBytes>;
  /** Whether all of the body has arrived. */
  readonly isComplete: boolean;
  /** Assigns the event loop time of the connection to the user. */
  setUsername(username: string): void;
  /** It is answered before its end: what is at work for it stops, its body counts as broken. */
  giveUp(): void;
}

export type BodyBytes =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** It did not come whole, or too late. */
  | { readonly kind: 'broken' };

/** What stages after authentication see: the credentials of the request are not in it. */
export interface Exchange {
  readonly method: string;
  readonly headers: HeaderList;
  readonly target: Target;
  readonly info: RequestInfo;
  /** Texts of Warning headers, in order; endpoints add to it. */
  readonly warnings: string[];
  /** As in `Incoming`. */
  readBody(limit: number): Promise<BodyBytes>;
  /** Does nobody wait for the answer any more? */
  isGivenUp(): boolean;
}
