/**
 * The questions about who is to be impersonated, field by field: may the caller be this user, with this
 * UID, these groups, these extra values? The first denial ends them; nobody becomes half of somebody.
 */
import { accountGroups, accountOfUsername, nodeOfUsername } from '../formats/account-name.ts';
import { goQuoteList } from '../formats/go-quote.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { AuthorizationRequest, ResourceAttributes } from '../ports/authorizer.ts';
import { extraProblem } from './impersonation-extra.ts';

/** What is asked of the authorizer beside who asks. */
export type Asked = Pick<AuthorizationRequest, 'resource' | 'nonResource'>;

export interface Denial {
  readonly kind: 'denied';
  readonly asked: Asked;
  /** Stands at the end of the refusal where it is not empty. */
  readonly reason: string;
}

/** Gives the denial; nothing where it is allowed. */
export type Ask = (asked: Asked) => Promise<Denial | undefined>;

export interface FieldChecks {
  /** `impersonate`, or `impersonate:MODE` of a constrained one. */
  readonly verb: string;
  readonly isConstrained: boolean;
  /** `authentication.k8s.io` */
  readonly authenticationGroup: string;
  /** The classic filter asks about the UID last, the other right after the name. */
  readonly uidLast: boolean;
  readonly ask: Ask;
}

/** From so many on a constrained mode asks for all at once first. */
const many = 4;

/** The identity with the groups that it has by itself. */
export const checkFields = async (
  wanted: UserInfo,
  checks: FieldChecks,
): Promise<UserInfo | Denial> => {
  const byName = checkName(wanted, checks);
  const steps = checks.uidLast
    ? [askName, askGroups, askExtra, askUid]
    : [askName, askUid, askGroups, askExtra];
  for (const step of steps) {
    // One after the other: the denial that is told is that of the first.
    const denial = await step(wanted, checks);
    if (denial !== undefined) return denial;
  }
  return { ...wanted, groups: withStanding(wanted.username, byName) };
};

/** The groups that come with the name where none are asked for. */
const checkName = (
  { username, groups }: UserInfo,
  { isConstrained }: FieldChecks,
): readonly string[] => {
  if (groups.length > 0) return groups;
  if (isConstrained && nodeOfUsername(username) !== undefined) return ['system:nodes'];
  const account = accountOfUsername(username);
  return account === undefined ? groups : accountGroups(account.namespace);
};

const withStanding = (username: string, groups: readonly string[]): readonly string[] => {
  if (username === 'system:anonymous') return withGroup(groups, 'system:unauthenticated');
  return groups.includes('system:unauthenticated')
    ? groups
    : withGroup(groups, 'system:authenticated');
};

const withGroup = (groups: readonly string[], group: string): readonly string[] =>
  groups.includes(group) ? groups : [...groups, group];

type Step = (wanted: UserInfo, checks: FieldChecks) => Promise<Denial | undefined>;

const askName: Step = ({ username, groups }, checks) => {
  const about = question(checks, { group: groupOfNames(checks), resource: 'users' });
  const node = checks.isConstrained ? nodeOfUsername(username) : undefined;
  const account = accountOfUsername(username);
  if (node !== undefined) {
    const asked = about({ resource: 'nodes', name: node });
    return isBare(groups) ? checks.ask(asked) : refuseGroups(asked, 'a node', groups);
  }
  if (account === undefined) return checks.ask(about({ name: username }));
  const asked = about({ resource: 'serviceaccounts', ...account });
  return checks.isConstrained && !isBare(groups)
    ? refuseGroups(asked, 'a service account', groups)
    : checks.ask(asked);
};

const isBare = (groups: readonly string[]): boolean => groups.length === 0;

/** Never reached: a mode for names alone is not tried with groups. */
const refuseGroups = async (asked: Asked, who: string, groups: readonly string[]) =>
  denied(asked, `when impersonating ${who}, cannot impersonate groups ${goQuoteList(groups)}`);

const askUid: Step = async ({ uid }, checks) =>
  uid === ''
    ? undefined
    : checks.ask(
        question(checks, { group: checks.authenticationGroup, resource: 'uids' })({ name: uid }),
      );

const askGroups: Step = async ({ groups }, checks) => {
  if (groups.length === 0) return undefined;
  const about = question(checks, { group: groupOfNames(checks), resource: 'groups' });
  if (checks.isConstrained) {
    if (groups.includes('')) {
      return denied(about({}), 'impersonating the empty string group is not allowed');
    }
    if (groups.includes('system:masters')) {
      const why = 'impersonating the system:masters group is not allowed';
      return denied(about({ name: 'system:masters' }), why);
    }
    const all = groups.length >= many ? await checks.ask(about({ name: '*' })) : notAsked;
    if (all === undefined) return undefined;
  }
  return askEach(
    groups.map((name) => about({ name })),
    checks,
  );
};

const askExtra: Step = async ({ extra }, checks) => {
  if (extra.size === 0) return undefined;
  const group = checks.authenticationGroup;
  const about = question(checks, { group, resource: 'userextras' });
  if (checks.isConstrained) {
    const problem = extraProblem(extra);
    if (problem !== undefined) return denied(about({}), problem);
    const all = isLarge(extra)
      ? await checks.ask(about({ subresource: '*', name: '*' }))
      : notAsked;
    if (all === undefined) return undefined;
  }
  return askEach(
    [...extra].flatMap(([subresource, values]) =>
      values.map((name) => about({ subresource, name })),
    ),
    checks,
  );
};

const notAsked = 'not asked';

const isLarge = (extra: UserInfo['extra']): boolean =>
  extra.size >= many || [...extra.values()].flat().length >= many;

const askEach = async (
  questions: readonly Asked[],
  { ask }: FieldChecks,
): Promise<Denial | undefined> => {
  for (const asked of questions) {
    const denial = await ask(asked);
    if (denial !== undefined) return denial;
  }
  return undefined;
};

/** In a constrained mode users and groups belong to the group of authentication. */
const groupOfNames = ({ isConstrained, authenticationGroup }: FieldChecks): string =>
  isConstrained ? authenticationGroup : '';

type Parts = Partial<Omit<ResourceAttributes, 'verb' | 'group'>>;

/** Parts that are empty are not there. */
const question =
  ({ verb }: FieldChecks, start: Pick<ResourceAttributes, 'group' | 'resource'>) =>
  ({ resource = start.resource, subresource = '', name = '', namespace = '' }: Parts): Asked => ({
    resource: {
      verb,
      group: start.group,
      resource,
      ...(subresource === '' ? {} : { subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
    },
  });

const denied = (asked: Asked, reason: string): Denial => ({ kind: 'denied', asked, reason });
