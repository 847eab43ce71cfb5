/** The interface that every authenticator implements. */
import type { Waiter } from '../fairness/waiter.ts';
import type { Decision, Rejection, Remarks } from '../model/decision.ts';
import type { ModuleId } from '../model/module-id.ts';
import type { TraceSink } from '../model/trace.ts';
import type { PeekableRequest } from './peek-token.ts';

/** Whether an authenticator can decide; it cannot, for example, before its issuer is discovered. */
export interface Readiness {
  readonly isReady: boolean;
  /** The reason if it is not ready: kube-apiserver's message, if it has one. */
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
  authenticate(
    request: PeekableRequest,
    waiter: Waiter,
    trace?: TraceSink,
  ): Decision | Promise<Decision>;
  /** Ends connections and work of its own. */
  close?(): Promise<void>;
}

/** Returns the decision that rejects a request for that reason. */
export const rejectedBy = (by: ModuleId, reason: Rejection): Decision => ({
  kind: 'rejected',
  by,
  reason,
});

/** Returns the remarks as a member of a decision, if there are any. */
export const remarksOf = (remarks: Remarks): { readonly remarks?: Remarks } =>
  remarks.warnings.length === 0 && remarks.annotations.size === 0 ? {} : { remarks };

/** Records the decision of a module with a single step; `skipped` is why it has no opinion. */
export const traceDecision = (
  trace: TraceSink,
  { at, what, skipped }: { readonly at: ModuleId; readonly what: string; readonly skipped: string },
  decision: Decision,
): void => {
  if (decision.kind === 'accepted')
    trace.step({ at, what, outcome: 'passed', detail: `user ${decision.user.username}` });
  else if (decision.kind === 'rejected')
    trace.step({ at, what, outcome: 'failed', detail: decision.reason.message });
  else trace.step({ at, what, outcome: 'skipped', detail: skipped });
};

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
