/**
 * The authorizer of the server: RBAC, and the subjects of `--token-review-open`. If the roles are
 * older than the maximum staleness because the store is unreachable, the last known roles authorize
 * health checks only; otherwise a probe would restart a server that authenticates correctly.
 * Without any known roles, health checks are forbidden.
 */
import type { UserInfo } from '../../model/user-info.ts';
import type {
  AuthorizationRequest,
  Authorizer,
  ResourceAttributes,
} from '../../ports/authorizer.ts';
import { rbacAuthorizer } from '../../rbac/authorize.ts';
import type { RolePolicy } from '../../rbac/role-policy.ts';
import { authenticationGroups } from '../api-groups.ts';
import type { ReviewerName } from '../flags/options.ts';

/**
 * Creates the authorizer. `tokenReviewOpen` lists subjects that may create TokenReviews without a
 * role.
 */
export const serveAuthorizer = (
  policy: RolePolicy,
  tokenReviewOpen: readonly ReviewerName[],
): Authorizer => {
  const roles = rbacAuthorizer(policy);
  return {
    authorize(request) {
      if (request.resource !== undefined && isTokenReview(request.resource)) {
        if (isNamed(request.user, tokenReviewOpen)) {
          return { allowed: true, reason: 'allowed by --token-review-open' };
        }
      }
      const answer = roles.authorize(request);
      if (answer.error === undefined || !isHealthRequest(request)) return answer;
      const index = policy.lastKnown();
      if (index === undefined) return answer;
      const lastKnownPolicy = { ...policy, current: () => ({ kind: 'known', index }) as const };
      const lastKnownAnswer = rbacAuthorizer(lastKnownPolicy).authorize(request);
      return lastKnownAnswer.allowed ? lastKnownAnswer : answer;
    },
  };
};

const isHealthRequest = ({ nonResource }: AuthorizationRequest): boolean =>
  nonResource?.verb === 'get' && healthPaths.has(nonResource.path);

/** Exact paths only; single checks below them need current roles. */
const healthPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz']);

const isTokenReview = ({ verb, group, resource, subresource }: ResourceAttributes): boolean =>
  verb === 'create' &&
  authenticationGroups.has(group) &&
  resource === 'tokenreviews' &&
  subresource === undefined;

const isNamed = (user: UserInfo, names: readonly ReviewerName[]): boolean =>
  names.some(({ kind, name }) =>
    kind === 'user' ? user.username === name : user.groups.includes(name),
  );
