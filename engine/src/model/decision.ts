/**
 * The decision of an authenticator or of all of them. There is no default, so nothing is accepted
 * by omission.
 */
import type { ModuleId } from './module-id.ts';
import type { UserInfo } from './user-info.ts';

/**
 * The decision on a request. `rejected`: the credential is invalid; unless another authenticator
 * accepts the request it gets a 401 and never becomes anonymous. `noOpinion`: the request has no
 * credential for this authenticator.
 *
 * @example
 * ```ts
 * const nameOf = (decision: Decision) =>
 *   decision.kind === 'accepted' ? decision.user.username : undefined;
 * ```
 */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly user: UserInfo;
      /** The matching audiences; empty for audience-agnostic authenticators. */
      readonly audiences: readonly string[];
      readonly by: ModuleId;
      /**
       * When the credential expires, in milliseconds since 1970. Caches must not keep the decision
       * longer.
       */
      readonly expiresAtMs?: number;
      readonly remarks?: Remarks;
    }
  | {
      readonly kind: 'rejected';
      readonly reason: Rejection;
      /** Absent if an internal error prevented a decision. */
      readonly by?: ModuleId;
      readonly remarks?: Remarks;
    }
  | { readonly kind: 'noOpinion' };

/**
 * Warnings and audit annotations of a decision. Those of an accepted decision are repeated with
 * each cached response.
 */
export interface Remarks {
  /** Values of `Warning` headers, in order. */
  readonly warnings: readonly string[];
  /**
   * Annotations of the audit event (`authentication.k8s.io/stale-token`). They never contain
   * secrets.
   */
  readonly annotations: ReadonlyMap<string, string>;
}

/**
 * Why a credential was rejected. It is logged and traced, but never sent to the client.
 *
 * @example
 * ```ts
 * const logLine = ({ code, message }: Rejection) => `${code} ${message}`;
 * ```
 */
export interface Rejection {
  /** The diagnostic code, AG5xxx. */
  readonly code: string;
  /** kube-apiserver's log message; never sent to the client. */
  readonly message: string;
  /** Set if the server was overloaded: the credential may be valid. */
  readonly overloaded?: true;
  /** The node and field that rejected the token: `jwt[0].claimValidationRules[1]`. */
  readonly at?: string;
  /**
   * The messages of all authenticators that rejected the request, in their order; `message`
   * combines them.
   */
  readonly messages?: readonly string[];
}

export const noOpinion: Decision = { kind: 'noOpinion' };
