/**
 * Who may ask what: what roles allow, and who `--token-review-open` names. Where the roles are not
 * known any more, the store being gone for too long, the last ones that were known decide who may ask
 * for health: else a probe would restart a server that authenticates well. Where none ever were known,
 * nobody may.
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

/** `tokenReviewOpen`: who may create a TokenReview beside those whom a role allows it. */
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

/** To the letter; what lies below them names single checks, and waits for the roles. */
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
