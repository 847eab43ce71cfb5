/** The one answer of a module, and of the stage. It has no default: nothing is accepted by omission. */
import type { ModuleId } from './module-id.ts';
import type { UserInfo } from './user-info.ts';

/**
 * `rejected`: the credential is wrong, and without an acceptance elsewhere the request is refused,
 * never anonymous. `noOpinion`: there is nothing here to decide on.
 */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly user: UserInfo;
      /** Audiences that matched; empty for modules that know none. */
      readonly audiences: readonly string[];
      readonly by: ModuleId;
      /** When the credential itself ends, in milliseconds since 1970; no cache may go beyond. */
      readonly expiresAtMs?: number;
      readonly remarks?: Remarks;
    }
  | {
      readonly kind: 'rejected';
      readonly reason: Rejection;
      /** Absent where a fault kept every module from deciding. */
      readonly by?: ModuleId;
      readonly remarks?: Remarks;
    }
  | { readonly kind: 'noOpinion' };

/** What a module has to say beside its decision; those of an accepted one come again with each cached answer. */
export interface Remarks {
  /** Texts of Warning headers, in order. */
  readonly warnings: readonly string[];
  /** Annotations of the audit event (`authentication.k8s.io/stale-token`); no secret ever goes in. */
  readonly annotations: ReadonlyMap<string, string>;
}

/** Why a credential was refused: for the log and for traces, not for the client. */
export interface Rejection {
  /** AG5xxx; see the catalogue. */
  readonly code: string;
  /** The log text of the real server; never sent to the client. */
  readonly message: string;
  /** Set where the server lacked the room to decide: the credential may be good. */
  readonly overloaded?: true;
  /** The node and field that refused, `jwt[0].claimValidationRules[1]`; a reader finds its place with it. */
  readonly at?: string;
  /** The texts of several modules that refused, in their order; `message` is all of them as one. */
  readonly messages?: readonly string[];
}

export const noOpinion: Decision = { kind: 'noOpinion' };
