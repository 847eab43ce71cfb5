/** A request as the modules see it: already off the wire, not yet trusted. */
import type { HeaderList } from './header-list.ts';
import type { Secret } from './secret.ts';

/** What the stage sees of a request; without the types of HTTP. */
export interface AuthenticationRequest {
  /** Path of the URL, percent-decoded once, without query; byte-exact otherwise. */
  readonly path: string;
  /** The bearer token, if the request carries one in the form the real server reads. */
  readonly token: Secret<string> | undefined;
  /** Audiences asked for (a TokenReview's, or the server's own); empty when none are. */
  readonly audiences: readonly string[];
  /** All fields as they came off the wire; absent where a token is asked about by itself. */
  readonly headers?: HeaderList;
  /** Absent where the connection brought none. */
  readonly certificates?: PeerCertificates;
}

/** The chain of a TLS client: one value for as long as its connection lives. */
export interface PeerCertificates {
  /** DER, as sent: leaf first, the rest in the client's order. Never empty. */
  readonly chain: readonly Uint8Array[];
}
