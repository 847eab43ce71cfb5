/**
 * A linked authenticator graph as the server uses it. A request acquires one generation and uses it
 * to its end, so a reload never mixes two configurations in one request.
 */
import type { AuthenticatorFunction } from '../../runtime/combine-decisions.ts';

export interface AuthenticatorGeneration {
  /** The hash of the graph, for log lines. */
  readonly graphHash: string;
  /** Returns the strings with which the graph can compare claims; absent without a graph. */
  claimLiterals?(): ReadonlySet<string>;
  readonly authenticate: AuthenticatorFunction;
  /** Returns a variant that caches the last token of one connection. */
  authenticateConnection?(): AuthenticatorFunction;
  /** Returns one check for each authenticator that has to become ready. */
  readinessChecks(): readonly ReadinessCheck[];
}

export interface ReadinessCheck {
  /** The path segment under `/readyz/`. */
  readonly name: string;
  readonly isReady: boolean;
  readonly reason: string;
  /** The issuer that has not been reached yet; absent if there is none. */
  readonly note?: string | undefined;
}

export interface GenerationHolder {
  /** Returns the current generation. The request calls `release` when it no longer needs it. */
  acquire(): { readonly generation: AuthenticatorGeneration; release(): void };
}
