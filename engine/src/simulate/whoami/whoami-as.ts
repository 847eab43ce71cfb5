/**
 * Who would a caller be with `Impersonate-*` fields: the very decision of the server, for the request
 * that asks who one is, with every question that it puts to the roles.
 */
import { authenticationGroup } from '../../model/api-domain.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorizer } from '../../ports/authorizer.ts';
import {
  type AuthorizationAttributes,
  type ImpersonationOutcome,
  impersonator,
} from '../../runtime/impersonate.ts';

export interface AskedQuestion {
  readonly asked: AuthorizationAttributes;
  readonly allowed: boolean;
  /** `RBAC: allowed by ClusterRoleBinding …`; empty where no role says anything. */
  readonly reason: string;
}

export interface ActingAnswer {
  readonly outcome: ImpersonationOutcome;
  /** In the order in which they were asked. */
  readonly questions: readonly AskedQuestion[];
}

export interface ActingOptions {
  readonly authorizer: Authorizer;
  /** The feature gate ConstrainedImpersonation. */
  readonly constrained: boolean;
  readonly domain: string;
}

export const whoamiAs = async (
  caller: UserInfo,
  wanted: UserInfo,
  { authorizer, ...options }: ActingOptions,
): Promise<ActingAnswer> => {
  const questions: AskedQuestion[] = [];
  const impersonate = impersonator({
    ...options,
    authorizer: {
      async authorize({ user, ...asked }) {
        const told = await authorizer.authorize({ user, ...asked });
        questions.push({ asked, allowed: told.allowed, reason: told.error ?? told.reason });
        return told;
      },
    },
    // One question, whose answer nobody remembers or counts: the keys of a cache may be plain.
    digest: { sha256Hex: (text) => text },
    clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
    metrics: { increment() {}, set() {}, observe() {}, forget() {} },
  });
  const group = authenticationGroup(options.domain);
  const outcome = await impersonate({
    requested: wanted,
    requestor: caller,
    request: { resource: { verb: 'create', group, resource: 'selfsubjectreviews' } },
    scope: '',
  });
  return { outcome, questions };
};
