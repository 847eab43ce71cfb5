/** Who may ask what: what roles allow, and who `--token-review-open` names. */
import type { UserInfo } from '../model/user-info.ts';
import type { Authorizer, ResourceAttributes } from '../ports/authorizer.ts';
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
  if (tokenReviewOpen.length === 0) return roles;
  return {
    authorize: (request) =>
      request.resource !== undefined &&
      isTokenReview(request.resource) &&
      isNamed(request.user, tokenReviewOpen)
        ? { allowed: true, reason: 'allowed by --token-review-open' }
        : roles.authorize(request),
  };
};

const isTokenReview = ({ verb, group, resource, subresource }: ResourceAttributes): boolean =>
  verb === 'create' &&
  authenticationGroups.has(group) &&
  resource === 'tokenreviews' &&
  subresource === undefined;

const isNamed = (user: UserInfo, names: readonly ReviewerName[]): boolean =>
  names.some(({ kind, name }) =>
    kind === 'user' ? user.username === name : user.groups.includes(name),
  );
