/** A request as authenticators see it: parsed, not yet trusted. */
import type { HeaderList } from './header-list.ts';
import type { Secret } from './secret.ts';

/**
 * The parts of a request that authentication uses, independent of HTTP types.
 *
 * @example
 * ```ts
 * const request: AuthenticationRequest = { path: '/api', token: secret(token), audiences: [] };
 * ```
 */
export interface AuthenticationRequest {
  /** Path of the URL, percent-decoded once, without query. */
  readonly path: string;
  /** The bearer token, if the request has one in a form that kube-apiserver accepts. */
  readonly token: Secret<string> | undefined;
  /** The requested audiences, of a TokenReview or of the server itself; empty if there are none. */
  readonly audiences: readonly string[];
  /** All headers as received; absent if only a token is authenticated. */
  readonly headers?: HeaderList;
  /** Absent if the client sent none. */
  readonly certificates?: PeerCertificates;
}

/**
 * The certificates of a TLS client. The object stays the same for the lifetime of the connection.
 */
export interface PeerCertificates {
  /** DER certificates as sent: the leaf first, the rest in the client's order. Never empty. */
  readonly chain: readonly Uint8Array[];
}
