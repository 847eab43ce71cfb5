/**
 * Authorizes the fields of an impersonated user: the name, the UID, the groups and the extra
 * values. The first denial ends the checks, so a user is impersonated completely or not at all.
 */

import { goQuoteList } from '../formats/go-quote.ts';
import {
  nodeNameOfUsername,
  serviceAccountGroups,
  splitServiceAccountUsername,
} from '../formats/system-usernames.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { AuthorizationRequest, ResourceAttributes } from '../ports/authorizer.ts';
import { extraProblem } from './impersonation-extra.ts';

/** What is authorized, without the user. */
export type AuthorizationAttributes = Pick<AuthorizationRequest, 'resource' | 'nonResource'>;

export interface Denial {
  readonly kind: 'denied';
  readonly attributes: AuthorizationAttributes;
  /** The authorizer's reason; if it is not empty it is appended to the message. */
  readonly reason: string;
}

/** Authorizes the attributes; returns a denial if they are not allowed. */
export type Authorize = (attributes: AuthorizationAttributes) => Promise<Denial | undefined>;

export interface FieldChecks {
  /** The verb: `impersonate`, or `impersonate:MODE` in a constrained mode. */
  readonly verb: string;
  readonly isConstrained: boolean;
  /** The API group: `authentication.k8s.io`. */
  readonly authenticationGroup: string;
  /**
   * True to check the UID last, as the legacy filter does; otherwise it is checked after the name.
   */
  readonly uidLast: boolean;
  readonly authorize: Authorize;
}

/** The number of values from which a constrained mode checks the permission for all of them first. */
const wildcardThreshold = 4;

/** Checks all fields; returns the user with its implicit groups. */
export const checkFields = async (
  requested: UserInfo,
  checks: FieldChecks,
): Promise<UserInfo | Denial> => {
  const impliedByName = impliedGroups(requested, checks);
  const steps = checks.uidLast
    ? [checkUser, checkGroups, checkExtra, checkUid]
    : [checkUser, checkUid, checkGroups, checkExtra];
  for (const step of steps) {
    // Sequential, because the first denial is the one to report.
    const denial = await step(requested, checks);
    if (denial !== undefined) return denial;
  }
  return { ...requested, groups: withAuthenticatedGroup(requested.username, impliedByName) };
};

/** Returns the groups that the name implies if none are requested. */
const impliedGroups = (
  { username, groups }: UserInfo,
  { isConstrained }: FieldChecks,
): readonly string[] => {
  if (groups.length > 0) return groups;
  if (isConstrained && nodeNameOfUsername(username) !== undefined) return ['system:nodes'];
  const account = splitServiceAccountUsername(username);
  return account === undefined ? groups : serviceAccountGroups(account.namespace);
};

const withAuthenticatedGroup = (username: string, groups: readonly string[]): readonly string[] => {
  if (username === 'system:anonymous') return withGroup(groups, 'system:unauthenticated');
  return groups.includes('system:unauthenticated')
    ? groups
    : withGroup(groups, 'system:authenticated');
};

const withGroup = (groups: readonly string[], group: string): readonly string[] =>
  groups.includes(group) ? groups : [...groups, group];

type Step = (wanted: UserInfo, checks: FieldChecks) => Promise<Denial | undefined>;

const checkUser: Step = ({ username, groups }, checks) => {
  const attributesFor = attributesOf(checks, { group: groupOfNames(checks), resource: 'users' });
  const node = checks.isConstrained ? nodeNameOfUsername(username) : undefined;
  const account = splitServiceAccountUsername(username);
  if (node !== undefined) {
    const attributes = attributesFor({ resource: 'nodes', name: node });
    return hasNoGroups(groups)
      ? checks.authorize(attributes)
      : denyGroups(attributes, 'a node', groups);
  }
  if (account === undefined) return checks.authorize(attributesFor({ name: username }));
  const attributes = attributesFor({ resource: 'serviceaccounts', ...account });
  return checks.isConstrained && !hasNoGroups(groups)
    ? denyGroups(attributes, 'a service account', groups)
    : checks.authorize(attributes);
};

const hasNoGroups = (groups: readonly string[]): boolean => groups.length === 0;

/** Unreachable: modes for names only are not tried with groups. */
const denyGroups = async (
  attributes: AuthorizationAttributes,
  who: string,
  groups: readonly string[],
) =>
  denied(attributes, `when impersonating ${who}, cannot impersonate groups ${goQuoteList(groups)}`);

const checkUid: Step = async ({ uid }, checks) =>
  uid === ''
    ? undefined
    : checks.authorize(
        attributesOf(checks, { group: checks.authenticationGroup, resource: 'uids' })({
          name: uid,
        }),
      );

const checkGroups: Step = async ({ groups }, checks) => {
  if (groups.length === 0) return undefined;
  const attributesFor = attributesOf(checks, { group: groupOfNames(checks), resource: 'groups' });
  if (checks.isConstrained) {
    if (groups.includes('')) {
      return denied(attributesFor({}), 'impersonating the empty string group is not allowed');
    }
    if (groups.includes('system:masters')) {
      const why = 'impersonating the system:masters group is not allowed';
      return denied(attributesFor({ name: 'system:masters' }), why);
    }
    const all =
      groups.length >= wildcardThreshold
        ? await checks.authorize(attributesFor({ name: '*' }))
        : notChecked;
    if (all === undefined) return undefined;
  }
  return authorizeEach(
    groups.map((name) => attributesFor({ name })),
    checks,
  );
};

const checkExtra: Step = async ({ extra }, checks) => {
  if (extra.size === 0) return undefined;
  const group = checks.authenticationGroup;
  const attributesFor = attributesOf(checks, { group, resource: 'userextras' });
  if (checks.isConstrained) {
    const problem = extraProblem(extra);
    if (problem !== undefined) return denied(attributesFor({}), problem);
    const all = isLarge(extra)
      ? await checks.authorize(attributesFor({ subresource: '*', name: '*' }))
      : notChecked;
    if (all === undefined) return undefined;
  }
  return authorizeEach(
    [...extra].flatMap(([subresource, values]) =>
      values.map((name) => attributesFor({ subresource, name })),
    ),
    checks,
  );
};

const notChecked = 'not checked';

const isLarge = (extra: UserInfo['extra']): boolean =>
  extra.size >= wildcardThreshold || [...extra.values()].flat().length >= wildcardThreshold;

const authorizeEach = async (
  list: readonly AuthorizationAttributes[],
  { authorize }: FieldChecks,
): Promise<Denial | undefined> => {
  for (const attributes of list) {
    const denial = await authorize(attributes);
    if (denial !== undefined) return denial;
  }
  return undefined;
};

/**
 * Returns the API group of users and groups, which is that of authentication in a constrained mode.
 */
const groupOfNames = ({ isConstrained, authenticationGroup }: FieldChecks): string =>
  isConstrained ? authenticationGroup : '';

type Parts = Partial<Omit<ResourceAttributes, 'verb' | 'group'>>;

/** Creates attributes without empty fields. */
const attributesOf =
  ({ verb }: FieldChecks, start: Pick<ResourceAttributes, 'group' | 'resource'>) =>
  ({
    resource = start.resource,
    subresource = '',
    name = '',
    namespace = '',
  }: Parts): AuthorizationAttributes => ({
    resource: {
      verb,
      group: start.group,
      resource,
      ...(subresource === '' ? {} : { subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
    },
  });

const denied = (attributes: AuthorizationAttributes, reason: string): Denial => ({
  kind: 'denied',
  attributes,
  reason,
});
