/** The contract of an authenticator module and of a node at work. */
import type { Waiter } from '../fairness/waiter.ts';
import type { Decision } from '../model/decision.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { TraceSink } from '../model/trace.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, in the real server's words where it has them. */
  readonly reason?: string;
}

/** A node at work; made at load, closed after the last request that saw its graph. */
export interface Authenticator {
  /** A value where nothing must be waited for. Never throws for what a client sends. */
  decide(
    request: AuthenticationRequest,
    waiter: Waiter,
    trace?: TraceSink,
  ): Decision | Promise<Decision>;
  /** For instance an issuer that is not discovered yet. */
  readiness(): Readiness;
  close(): Promise<void>;
}
