/** Anonymous requests: which paths they may use before and after a change. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { FoundAccessChange } from './access-result.ts';

/** The user of requests without a credential. */
export const anonymousUser: UserInfo = {
  username: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: new Map(),
};

/** Returns a path on which anonymous requests are allowed. */
export const anonymousPath = (graph: AuthenticatorGraph): string | undefined => {
  const { enabled, paths } = graph.anonymous;
  if (!enabled) return undefined;
  return paths?.[0] ?? '/';
};

/** Returns the change for a path that anonymous requests gain. */
export const anonymousGain = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): Pick<FoundAccessChange, 'witness' | 'before' | 'after'> | undefined => {
  const path = gainedPath(before, after);
  return path === undefined
    ? undefined
    : { witness: { request: { path } }, before: null, after: anonymousUser };
};

const gainedPath = (
  { anonymous: before }: AuthenticatorGraph,
  { anonymous: after }: AuthenticatorGraph,
): string | undefined => {
  if (!after.enabled) return undefined;
  const old = new Set(before.paths);
  if (before.enabled && old.size === 0) return undefined;
  if (after.paths?.length) return after.paths.find((path) => !before.enabled || !old.has(path));
  let path = '/';
  while (before.enabled && old.has(path)) path += 'x';
  return path;
};
