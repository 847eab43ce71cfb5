/**
 * Decides who a caller would be with `Impersonate-*` headers. The server's own impersonation code
 * decides the request, and every permission check is recorded.
 */
import { authenticationGroup } from '../../model/api-domain.ts';
import { privilegedGroup, type UserInfo } from '../../model/user-info.ts';
import type { Authorization, Authorizer } from '../../ports/authorizer.ts';
import {
  type AuthorizationAttributes,
  type ImpersonationOutcome,
  impersonator,
} from '../../runtime/impersonate.ts';

export interface AskedQuestion {
  readonly attributes: AuthorizationAttributes;
  readonly allowed: boolean;
  /**
   * The reason: `RBAC: allowed by ClusterRoleBinding …`, or `allowed by group system:masters`; empty
   * if no role applies.
   */
  readonly reason: string;
}

export interface ActingAnswer {
  readonly outcome: ImpersonationOutcome;
  /** The permission checks, in the order in which they were made. */
  readonly questions: readonly AskedQuestion[];
}

export interface ActingOptions {
  readonly authorizer: Authorizer;
  /** Whether the feature gate ConstrainedImpersonation is on. */
  readonly constrained: boolean;
  readonly domain: string;
  /** The request for which the caller impersonates; a SelfSubjectReview if absent. */
  readonly request?: AuthorizationAttributes;
}

export const whoamiAs = async (
  caller: UserInfo,
  wanted: UserInfo,
  { authorizer, request, ...options }: ActingOptions,
): Promise<ActingAnswer> => {
  const questions: AskedQuestion[] = [];
  const impersonate = impersonator({
    ...options,
    authorizer: {
      async authorize({ user, ...attributes }) {
        const decision = await authorizer.authorize({ user, ...attributes });
        const { allowed, error } = decision;
        questions.push({ attributes, allowed, reason: error ?? reasonOf(decision, user) });
        return decision;
      },
    },
    // The impersonator makes one decision without a shared cache or metrics, so its keys need no
    // hash.
    digest: { sha256Hex: (text) => text },
    clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
    metrics: { increment() {}, set() {}, observe() {}, forget() {} },
  });
  const group = authenticationGroup(options.domain);
  const outcome = await impersonate({
    requested: wanted,
    requestor: caller,
    request: request ?? {
      resource: { verb: 'create', group, resource: 'selfsubjectreviews' },
    },
    scope: '',
  });
  return { outcome, questions };
};

/** Returns why the check was decided so. The authorizer gives no reason for members of system:masters. */
const reasonOf = ({ allowed, reason }: Authorization, { groups }: UserInfo): string =>
  allowed && reason === '' && groups.includes(privilegedGroup)
    ? `allowed by group ${privilegedGroup}`
    : reason;
