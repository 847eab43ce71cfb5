/** The interface that every authenticator implements. */
import type { Waiter } from '../fairness/waiter.ts';
import type { Decision } from '../model/decision.ts';
import type { TraceSink } from '../model/trace.ts';
import type { TokenRequest } from './token-request.ts';

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
  decide(request: TokenRequest, waiter: Waiter, trace?: TraceSink): Decision | Promise<Decision>;
  /**
   * Reports whether the authenticator is ready; it is not, for example, before its issuer is
   * discovered.
   */
  readiness(): Readiness;
  close(): Promise<void>;
}

/** The result of compiling the flags and the file of a module. */
export type FileCompilation<Node, Material, Failure = unknown> =
  | {
      readonly kind: 'compiled';
      readonly node: Node;
      readonly material: Material;
      /** Warnings that are logged at startup. */
      readonly warnings: readonly string[];
    }
  | ({ readonly kind: 'failed'; readonly error: string } & Failure);
