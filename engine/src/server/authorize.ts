/**
 * Who may ask what, until roles come: the real server's bootstrap roles as far as this server has
 * something to ask, and the names of `--token-review-open`.
 */
import type { UserInfo } from '../model/user-info.ts';
import type { AuthorizationRequest, Authorizer, ResourceAttributes } from '../ports/authorizer.ts';
import { authenticationGroups } from './api-groups.ts';
import type { ReviewerName } from './options.ts';

const group = {
  masters: 'system:masters',
  monitoring: 'system:monitoring',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
} as const;

interface PathRole {
  readonly role: string;
  readonly groups: readonly string[];
  /** Exact paths; `/x/*` is everything below `/x/`. All for `get` alone. */
  readonly paths: readonly string[];
}

const healthPaths = ['/livez', '/readyz', '/healthz'];

/** Roles that the real server makes at its first start. */
const pathRoles: readonly PathRole[] = [
  {
    role: 'system:public-info-viewer',
    groups: [group.authenticated, group.unauthenticated],
    paths: [...healthPaths, '/version', '/version/'],
  },
  {
    role: 'system:discovery',
    groups: [group.authenticated],
    paths: [
      ...healthPaths,
      '/version',
      '/version/',
      ...['/openapi', '/api', '/apis'].flatMap((path) => [path, `${path}/*`]),
    ],
  },
  {
    role: 'system:monitoring',
    groups: [group.monitoring],
    paths: [...healthPaths, ...healthPaths.map((path) => `${path}/*`), '/metrics', '/metrics/slis'],
  },
];

/** `tokenReviewOpen`: who may create a TokenReview; the group system:masters always may. */
export const bootstrapAuthorizer = (tokenReviewOpen: readonly ReviewerName[]): Authorizer => ({
  authorize: (request) => ({ allowed: isAllowed(request, tokenReviewOpen), reason: '' }),
});

const isAllowed = (
  { user, resource, nonResource }: AuthorizationRequest,
  tokenReviewOpen: readonly ReviewerName[],
): boolean => {
  if (user.groups.includes(group.masters)) return true;
  if (resource !== undefined) return mayUseResource(user, resource, tokenReviewOpen);
  if (nonResource === undefined || nonResource.verb !== 'get') return false;
  return pathRoles.some(
    ({ groups, paths }) =>
      groups.some((name) => user.groups.includes(name)) &&
      paths.some((pattern) => covers(pattern, nonResource.path)),
  );
};

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

const mayUseResource = (
  user: UserInfo,
  attributes: ResourceAttributes,
  tokenReviewOpen: readonly ReviewerName[],
): boolean => {
  if (attributes.verb !== 'create' || attributes.subresource !== undefined) return false;
  if (!authenticationGroups.has(attributes.group)) return false;
  if (attributes.resource === 'selfsubjectreviews') {
    return user.groups.includes(group.authenticated);
  }
  return (
    attributes.resource === 'tokenreviews' &&
    tokenReviewOpen.some(({ kind, name }) =>
      kind === 'user' ? user.username === name : user.groups.includes(name),
    )
  );
};
