/**
 * The questions about who is to be impersonated, field by field: may the caller be this user, with this
 * UID, these groups, these extra values? The first denial ends them; nobody becomes half of somebody.
 */
import {
  serviceAccountGroups,
  splitServiceAccountUsername,
  nodeNameOfUsername,
} from '../formats/system-usernames.ts';
import { goQuoteList } from '../formats/go-quote.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { AuthorizationRequest, ResourceAttributes } from '../ports/authorizer.ts';
import { extraProblem } from './impersonation-extra.ts';

/** What is asked of the authorizer beside who asks. */
export type AuthorizationAttributes = Pick<AuthorizationRequest, 'resource' | 'nonResource'>;

export interface Denial {
  readonly kind: 'denied';
  readonly attributes: AuthorizationAttributes;
  /** Stands at the end of the refusal where it is not empty. */
  readonly reason: string;
}

/** Gives the denial; nothing where it is allowed. */
export type Authorize = (attributes: AuthorizationAttributes) => Promise<Denial | undefined>;

export interface FieldChecks {
  /** `impersonate`, or `impersonate:MODE` of a constrained one. */
  readonly verb: string;
  readonly isConstrained: boolean;
  /** `authentication.k8s.io` */
  readonly authenticationGroup: string;
  /** The classic filter asks about the UID last, the other right after the name. */
  readonly uidLast: boolean;
  readonly authorize: Authorize;
}

/** From so many on a constrained mode asks for all at once first. */
const wildcardThreshold = 4;

/** The identity with the groups that it has by itself. */
export const checkFields = async (
  requested: UserInfo,
  checks: FieldChecks,
): Promise<UserInfo | Denial> => {
  const impliedByName = impliedGroups(requested, checks);
  const steps = checks.uidLast
    ? [checkUser, checkGroups, checkExtra, checkUid]
    : [checkUser, checkUid, checkGroups, checkExtra];
  for (const step of steps) {
    // One after the other: the denial that is told is that of the first.
    const denial = await step(requested, checks);
    if (denial !== undefined) return denial;
  }
  return { ...requested, groups: withAuthenticatedGroup(requested.username, impliedByName) };
};

/** The groups that come with the name where none are asked for. */
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

/** Never reached: a mode for names alone is not tried with groups. */
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

/** In a constrained mode users and groups belong to the group of authentication. */
const groupOfNames = ({ isConstrained, authenticationGroup }: FieldChecks): string =>
  isConstrained ? authenticationGroup : '';

type Parts = Partial<Omit<ResourceAttributes, 'verb' | 'group'>>;

/** Parts that are empty are not there. */
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
