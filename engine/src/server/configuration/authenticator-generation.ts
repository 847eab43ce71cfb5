/**
 * What the server asks of a graph at work. A request takes the stage once and keeps it to its end, so
 * a reload in between is not seen by half a request.
 */
import type { AuthenticateRequest } from '../../runtime/link.ts';

export interface AuthenticatorGeneration {
  /** Hash of the graph, for log lines. */
  readonly graphHash: string;
  readonly authenticate: AuthenticateRequest;
  /** The same for the requests of one connection, where that is quicker. */
  authenticateConnection?(): AuthenticateRequest;
  /** One check an authenticator that has to become ready. */
  readinessChecks(): readonly ReadinessCheck[];
}

export interface ReadinessCheck {
  /** Path segment under `/readyz/`. */
  readonly name: string;
  readonly ready: boolean;
  readonly reason: string;
}

export interface GenerationHolder {
  /** The stage that serves now; `release` tells that the request is done with it. */
  acquire(): { readonly generation: AuthenticatorGeneration; release(): void };
}
