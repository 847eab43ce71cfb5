/** One request on its way through the server: what is known of it, and what its answer must carry. */
import type { HeaderList } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import type { RequestInfo } from './request-info.ts';
import type { Target } from './target.ts';

/** A request as the listener hands it over: off the wire, nothing believed. */
export interface Incoming {
  readonly method: string;
  /** As written in the request line or in `:path`. */
  readonly rawTarget: string;
  readonly headers: HeaderList;
  readonly httpMajor: 1 | 2;
  readonly httpMinor: number;
  /** The socket or session; only its identity is used. */
  readonly connection: object;
  /** What the client of the connection showed; absent where it showed nothing. */
  readonly certificates?: PeerCertificates;
  /** Aborts when the client goes away or the request lives too long. */
  readonly signal: AbortSignal;
  /** Reads the body, at most `limit` bytes of it. Nothing of it is read before this is called. */
  readBody(limit: number): Promise<BodyBytes>;
}

export type BodyBytes =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
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
}
