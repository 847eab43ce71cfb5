/** Compares the outcome of a case with what it expects. */
import { apiDomains, credentialIdKey } from '../../model/api-domain.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { CaseOutcome, Difference } from './case-result.ts';
import type { Expected, ExpectedRejection, ExpectedUser } from './test-case.ts';

/** Returns every expectation that is not met. */
export const differencesOf = (expected: Expected, outcome: CaseOutcome): readonly Difference[] => {
  const differences = [...outcomeDifferences(expected, outcome)];
  const { by, maxCost } = expected;
  if (by !== undefined && !isAuthenticator(by, outcome.authenticator))
    differences.push({ what: 'by', expected: by, actual: outcome.authenticator });
  if (maxCost !== undefined && outcome.cost > maxCost)
    differences.push({
      what: 'maxCost',
      expected: `at most ${maxCost}`,
      actual: String(outcome.cost),
    });
  return differences;
};

/** `jwt` stands for every JWT authenticator. */
const isAuthenticator = (expected: string, actual: string): boolean =>
  expected === actual || (expected === 'jwt' && actual.startsWith('jwt['));

const outcomeDifferences = (expected: Expected, outcome: CaseOutcome): readonly Difference[] => {
  const { user, userIncludes, withoutGroups, rejected, forbidden } = expected;
  if (rejected !== undefined) return rejectionDifferences(rejected, outcome);
  if (forbidden !== undefined) return forbiddenDifferences(forbidden, outcome);
  if ([user, userIncludes, withoutGroups].every((part) => part === undefined)) return [];
  const actual = userOf(outcome);
  if (actual === undefined)
    return [
      {
        what: 'decision',
        expected: wantedUser(user ?? userIncludes),
        actual: describeOutcome(outcome),
      },
    ];
  return [
    ...(user === undefined ? [] : exactDifferences(user, actual)),
    ...(userIncludes === undefined ? [] : partialDifferences(userIncludes, actual)),
    ...(withoutGroups ?? [])
      .filter((group) => actual.groups.includes(group))
      .map((group) => ({
        what: 'withoutGroups',
        expected: `not a member of ${shown(group)}`,
        actual: `a member of ${shown(group)}`,
      })),
  ];
};

/** Returns the user that the request is served as; `undefined` if it is not served. */
export const userOf = ({
  decision,
  impersonation,
}: Pick<CaseOutcome, 'decision' | 'impersonation'>): UserInfo | undefined => {
  if (decision.kind !== 'accepted' || impersonation?.kind === 'denied') return undefined;
  return impersonation?.user ?? decision.user;
};

const wantedUser = (user: Partial<ExpectedUser> | undefined): string =>
  user?.username === undefined ? 'accepted' : `accepted as ${shown(user.username)}`;

/** Describes an outcome in one line. */
export const describeOutcome = ({
  decision,
  answeredWith,
  authenticator,
  impersonation,
}: Omit<CaseOutcome, 'cost' | 'steps'>): string => {
  if (answeredWith !== undefined) return `answered with ${answeredWith} before authentication`;
  if (impersonation?.kind === 'denied') return `impersonation denied: ${impersonation.message}`;
  if (decision.kind === 'noOpinion') return 'rejected: no authenticator accepts it';
  if (decision.kind === 'accepted')
    return `accepted as ${shown((impersonation?.user ?? decision.user).username)} by ${authenticator}`;
  const { code, at, message } = decision.reason;
  return `rejected with ${code} by ${at ?? authenticator}: ${message}`;
};

const rejectionDifferences = (
  { code, at, message }: ExpectedRejection,
  outcome: CaseOutcome,
): readonly Difference[] => {
  const { decision } = outcome;
  if (decision.kind !== 'rejected' || outcome.answeredWith !== undefined)
    return [
      {
        what: 'decision',
        expected: code === undefined ? 'rejected' : `rejected with ${code}`,
        actual: describeOutcome(outcome),
      },
    ];
  const { reason } = decision;
  const differences: Difference[] = [];
  if (code !== undefined && code !== reason.code)
    differences.push({
      what: 'rejected.code',
      expected: code,
      actual: `${reason.code}: ${reason.message}`,
    });
  if (at !== undefined && at !== reason.at)
    differences.push({ what: 'rejected.at', expected: at, actual: reason.at ?? '(no part)' });
  if (message !== undefined && !reason.message.includes(message))
    differences.push({
      what: 'rejected.message',
      expected: `contains ${shown(message)}`,
      actual: reason.message,
    });
  return differences;
};

const forbiddenDifferences = (message: string, outcome: CaseOutcome): readonly Difference[] => {
  const { impersonation } = outcome;
  // Without permission checks the header fields are invalid, and the status is 400.
  const isForbidden = impersonation?.kind === 'denied' && impersonation.acting !== undefined;
  if (isForbidden && impersonation.message.includes(message)) return [];
  const expected = message === '' ? 'impersonation denied' : `denied with ${shown(message)}`;
  return [{ what: 'decision', expected, actual: describeOutcome(outcome) }];
};

const exactDifferences = (expected: ExpectedUser, actual: UserInfo): readonly Difference[] => [
  ...textDifferences('username', expected.username, actual.username),
  ...textDifferences('uid', expected.uid, actual.uid),
  ...listDifferences('groups', expected.groups, comparedGroups(actual, expected.groups)),
  ...extraDifferences(expected.extra, comparedExtra(actual, expected.extra), 'exact'),
];

/** Leaves out the ID of the credential, which the server adds itself, unless it is expected. */
const comparedExtra = ({ extra }: UserInfo, expected: Extra): Extra => {
  const added = credentialIdKeys.filter((key) => extra.has(key) && !expected.has(key));
  return added.length === 0 ? extra : new Map([...extra].filter(([key]) => !added.includes(key)));
};

const credentialIdKeys: readonly string[] = apiDomains.map(credentialIdKey);

/** Leaves out the group that every authenticated user has, unless it is expected. */
const comparedGroups = ({ groups }: UserInfo, expected: readonly string[]): readonly string[] =>
  expected.includes(authenticatedGroup)
    ? groups
    : groups.filter((group) => group !== authenticatedGroup);

const authenticatedGroup = 'system:authenticated';

const partialDifferences = (
  { username, uid, groups = [], extra = new Map() }: Partial<ExpectedUser>,
  actual: UserInfo,
): readonly Difference[] => {
  const missing = groups.filter((group) => !actual.groups.includes(group));
  return [
    ...(username === undefined ? [] : textDifferences('username', username, actual.username)),
    ...(uid === undefined ? [] : textDifferences('uid', uid, actual.uid)),
    ...(missing.length === 0
      ? []
      : [
          {
            what: 'groups',
            expected: `includes ${listText(missing)}`,
            actual: listText(actual.groups),
          },
        ]),
    ...extraDifferences(extra, actual.extra, 'partial'),
  ];
};

type Extra = ReadonlyMap<string, readonly string[]>;

const extraDifferences = (
  expected: Extra,
  actual: Extra,
  form: 'exact' | 'partial',
): readonly Difference[] => {
  const keys = new Set([...expected.keys(), ...(form === 'exact' ? actual.keys() : [])]);
  return [...keys].flatMap((key) =>
    listDifferences(`extra ${key}`, expected.get(key), actual.get(key)),
  );
};

const textDifferences = (what: string, expected: string, actual: string): readonly Difference[] =>
  expected === actual ? [] : [{ what, expected: shown(expected), actual: shown(actual) }];

/** Compares two lists; an absent one is not an empty one. */
const listDifferences = (
  what: string,
  expected: readonly string[] | undefined,
  actual: readonly string[] | undefined,
): readonly Difference[] =>
  expected?.length === actual?.length && expected?.every((text, at) => text === actual?.[at])
    ? []
    : [{ what, expected: valuesText(expected), actual: valuesText(actual) }];

const valuesText = (values: readonly string[] | undefined): string =>
  values === undefined ? '(absent)' : listText(values);

const shown = (text: string): string => JSON.stringify(text);
const listText = (texts: readonly string[]): string => `[${texts.map(shown).join(', ')}]`;
