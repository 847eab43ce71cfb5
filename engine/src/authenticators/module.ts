/** The interface that every authenticator implements. */
import type { Waiter } from '../fairness/waiter.ts';
import type { Decision } from '../model/decision.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { TraceSink } from '../model/trace.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why the authenticator is not ready, in kube-apiserver's words if it has any. */
  readonly reason?: string;
}

/**
 * A running authenticator. It is created when a configuration is loaded and closed after the last
 * request that uses it.
 */
export interface Authenticator {
  /**
   * Decides a request; returns a promise only if it has to wait. Never throws because of what a
   * client sends.
   */
  decide(
    request: AuthenticationRequest,
    waiter: Waiter,
    trace?: TraceSink,
  ): Decision | Promise<Decision>;
  /**
   * Reports whether the authenticator is ready; it is not, for example, before its issuer is
   * discovered.
   */
  readiness(): Readiness;
  close(): Promise<void>;
}
