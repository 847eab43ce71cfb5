/**
 * Who may ask what: what roles allow, and who `--token-review-open` names. Where the roles are not
 * known, the store being gone for too long, whoever was let in may still ask for health: else nobody
 * could see what is wrong, and a probe would restart a server that authenticates well.
 */
import type { UserInfo } from '../model/user-info.ts';
import type { AuthorizationRequest, Authorizer, ResourceAttributes } from '../ports/authorizer.ts';
import { rbacAuthorizer } from '../rbac/authorize.ts';
import type { RolePolicy } from '../rbac/role-policy.ts';
import { authenticationGroups } from './api-groups.ts';
import type { ReviewerName } from './options.ts';

/** `tokenReviewOpen`: who may create a TokenReview beside those whom a role allows it. */
export const serveAuthorizer = (
  policy: RolePolicy,
  tokenReviewOpen: readonly ReviewerName[],
): Authorizer => {
  const roles = rbacAuthorizer(policy);
  return {
    async authorize(request) {
      if (request.resource !== undefined && isTokenReview(request.resource)) {
        if (isNamed(request.user, tokenReviewOpen)) {
          return { allowed: true, reason: 'allowed by --token-review-open' };
        }
      }
      const answer = await roles.authorize(request);
      return answer.error !== undefined && asksForHealth(request)
        ? { allowed: true, reason: 'health is told while the roles are not known' }
        : answer;
    },
  };
};

const asksForHealth = ({ nonResource }: AuthorizationRequest): boolean =>
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
