/** A request as the modules see it: already off the wire, not yet trusted. */
import type { Secret } from './secret.ts';

export interface AuthenticationRequest {
  /** Path of the URL, percent-decoded once, without query; byte-exact otherwise. */
  readonly path: string;
  /** The bearer token, if the request carries one in the form the real server reads. */
  readonly token: Secret<string> | undefined;
  /** Audiences asked for (a TokenReview's, or the server's own); empty when none are. */
  readonly audiences: readonly string[];
}
