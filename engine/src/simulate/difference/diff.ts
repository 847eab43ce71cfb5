/**
 * Compares access before and after a change of the configuration: who gains it, who loses it and
 * whose identity changes.
 */

import { toPrintable } from '../../diagnostics/printable.ts';
import { counted } from '../../formats/counted.ts';
import type { Decision } from '../../model/decision.ts';
import { privilegedGroup, type UserInfo } from '../../model/user-info.ts';
import type { AccessChangeKind } from '../access/access-result.ts';
import { headlineOf, oneLine } from '../preview/headline.ts';

/** The effect of a configuration change on one sample. */
export interface AccessChange {
  readonly name: string;
  readonly kind: AccessChangeKind | 'same';
  /** The headline before the change. */
  readonly before: string;
  readonly after: string;
  /** Details such as `group oidc:dev is lost`. */
  readonly details: readonly string[];
  /** Whether the sample is accepted after the change. */
  readonly isIn: boolean;
  /** Whether the sample becomes a member of `system:masters`, which has full control. */
  readonly gainsFullControl: boolean;
  /** The other groups that start with `system:` which the sample gains. */
  readonly gainedSystemGroups: readonly string[];
}

/** Compares two decisions; a rejection with a different reason is not a change. */
export const accessChange = (name: string, before: Decision, after: Decision): AccessChange => ({
  name,
  ...userChange(userOf(before), userOf(after)),
  before: headlineOf(name, before),
  after: headlineOf(name, after),
  isIn: after.kind === 'accepted',
  gainsFullControl: gainsFullControl(userOf(before), userOf(after)),
  gainedSystemGroups: gainedSystemGroups(userOf(before), userOf(after)),
});

/** Returns the user of an accepted request, or `null`. */
export const userOf = (decision: Decision): UserInfo | null =>
  decision.kind === 'accepted' ? decision.user : null;

/** Checks whether a user becomes a member of `system:masters`; `null` is a rejected request. */
export const gainsFullControl = (before: UserInfo | null, after: UserInfo | null): boolean =>
  after?.groups.includes(privilegedGroup) === true &&
  before?.groups.includes(privilegedGroup) !== true;

/** Groups that authentication adds to a user itself. */
const addedGroups = new Set(['system:authenticated', 'system:unauthenticated']);

/**
 * Returns the groups other than `system:masters` that start with `system:` and that a user gains: every cluster has
 * bindings for some of them. `null` is a rejected request.
 */
export const gainedSystemGroups = (
  before: UserInfo | null,
  after: UserInfo | null,
): readonly string[] =>
  missingIn(before?.groups ?? [], after?.groups ?? []).filter(
    (group) => group.startsWith('system:') && group !== privilegedGroup && !addedGroups.has(group),
  );

/**
 * Combines the changes of several configurations for one sample: it loses access if none of them
 * accepts it any more.
 */
export const changeThroughout = (
  changes: readonly Pick<AccessChange, 'kind' | 'isIn'>[],
): Pick<AccessChange, 'kind' | 'isIn'> => {
  const wasIn = changes.some(({ kind, isIn }) => kind === 'lost' || (isIn && kind !== 'gained'));
  const isIn = changes.some((change) => change.isIn);
  if (wasIn !== isIn) return { kind: isIn ? 'gained' : 'lost', isIn };
  const isSame = changes.every(({ kind }) => kind === 'same');
  return { kind: isSame ? 'same' : 'changed', isIn };
};

/** Summarizes one change per sample: `2 of 6 samples lose access, 1 changes, 3 stay the same`. */
export const changeSummary = (changes: readonly Pick<AccessChange, 'kind'>[]): string => {
  const count = (kind: AccessChange['kind']): number =>
    changes.filter((change) => change.kind === kind).length;
  const same = count('same');
  if (same === changes.length) return `nothing changes for ${counted(same, 'sample')}`;
  const sentences = [
    { of: count('lost'), one: 'loses access', many: 'lose access' },
    { of: count('gained'), one: 'gains access', many: 'gain access' },
    { of: count('changed'), one: 'changes', many: 'change' },
    { of: same, one: 'stays the same', many: 'stay the same' },
  ].filter(({ of }) => of > 0);
  return sentences
    .map(({ of, one, many }, index) => {
      const who = index === 0 ? `${of} of ${counted(changes.length, 'sample')}` : of;
      return `${who} ${of === 1 ? one : many}`;
    })
    .join(', ');
};

/**
 * Returns a sentence if some users could log in before and none of them can any more, else
 * `undefined`.
 */
export const lockOutOf = (
  changes: readonly Pick<AccessChange, 'kind' | 'isIn'>[],
): string | undefined => {
  const lost = changes.filter(({ kind }) => kind === 'lost').length;
  const stays = changes.some(({ kind, isIn }) => isIn && kind !== 'gained');
  if (lost === 0 || stays) return undefined;
  return lost === 1
    ? 'the only sample that could log in before can no longer'
    : `none of the ${lost} samples that could log in before can any longer`;
};

/**
 * Says who can no longer log in: `jane and 2 others can no longer log in`, or `undefined` if no user
 * lost access. The worst loss comes first.
 */
export const lossOf = (
  changes: readonly Pick<AccessChange, 'name' | 'kind'>[],
): string | undefined => {
  const names = changes.filter(({ kind }) => kind === 'lost').map(({ name }) => name);
  const [first, second] = names;
  if (first === undefined) return undefined;
  if (second === undefined) return `${first} can no longer log in`;
  if (names.length === changes.length)
    return `none of your ${names.length} samples can log in any more`;
  const rest = names.length === 2 ? second : `${names.length - 1} others`;
  return `${first} and ${rest} can no longer log in`;
};

/** Compares two users; `null` is a rejected request. */
export const userChange = (
  before: UserInfo | null,
  after: UserInfo | null,
): Pick<AccessChange, 'kind' | 'details'> => {
  if (before !== null && after !== null) {
    const details = userChanges(before, after);
    return { kind: details.length === 0 ? 'same' : 'changed', details };
  }
  if (before !== null) {
    return { kind: 'lost', details: [`can no longer log in as ${oneLine(before.username)}`] };
  }
  return after === null
    ? { kind: 'same', details: [] }
    : { kind: 'gained', details: [`can log in as ${oneLine(after.username)}`] };
};

const userChanges = (before: UserInfo, after: UserInfo): readonly string[] => [
  ...textChange('username', before.username, after.username),
  ...textChange('UID', before.uid, after.uid),
  ...listChanges('group', before.groups, after.groups),
  ...extraChanges(before.extra, after.extra),
];

const textChange = (what: string, before: string, after: string): readonly string[] => {
  if (before === after) return [];
  if (before === '') return [`${what} ${shownName(after)} is gained`];
  if (after === '') return [`${what} ${shownName(before)} is lost`];
  return [`${what} ${shownName(before)} becomes ${shownName(after)}`];
};

const listChanges = (
  what: string,
  before: readonly string[],
  after: readonly string[],
): readonly string[] => [
  ...missingIn(after, before).map((item) => `${what} ${shownName(item)} is lost`),
  ...missingIn(before, after).map((item) => `${what} ${shownName(item)} is gained`),
];

const missingIn = (list: readonly string[], wanted: readonly string[]): readonly string[] => {
  const known = new Set(list);
  return [...new Set(wanted)].filter((item) => !known.has(item));
};

const extraChanges = (before: UserInfo['extra'], after: UserInfo['extra']): readonly string[] => {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) =>
    listChanges(`extra ${oneLine(key)}`, before.get(key) ?? [], after.get(key) ?? []),
  );
};

/** Returns an untrusted name in one line, without quotes if it cannot be misread. */
export const shownName = (text: string): string =>
  /^[!-~]+$/.test(text) ? oneLine(text) : oneLine(toPrintable(JSON.stringify(text)));
