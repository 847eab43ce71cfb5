/** Compares identities that may contain placeholders: same, different, or not known. */
import type { UserInfo } from '../../model/user-info.ts';
import { claimsIn, hasPlaceholder, unitsOf } from './recorded-claims.ts';

/** Whether two values are equal whatever the strings are that the log does not contain. */
export type Comparison =
  | { readonly kind: 'same' | 'different' }
  /** The claims on whose values it depends. */
  | { readonly kind: 'open'; readonly claims: readonly string[] };

const same: Comparison = { kind: 'same' };
const different: Comparison = { kind: 'different' };

/** Checks whether no string that is missing in the log equals a text. */
export type IsExcluded = (text: string) => boolean;

/** Compares two strings. */
export const compareTexts = (left: string, right: string, isExcluded: IsExcluded): Comparison => {
  if (left === right) return same;
  if (!hasPlaceholder(left) && !hasPlaceholder(right)) return different;
  const before = [...unitsOf(left)];
  const after = [...unitsOf(right)];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const rests = [before, after].map((units) => units.slice(start, units.length - end));
  const [one = [], other = []] = rests;
  // A string that is not in the log is never empty.
  if (one.length === 0 || other.length === 0) return different;
  const areKnown = (units: readonly (string | undefined)[]): boolean =>
    units.every((unit) => unit !== undefined && !hasPlaceholder(unit));
  const isUnequal = [
    [one, other],
    [other, one],
  ].some(
    ([missing = [], text = []]) =>
      missing.length === 1 && areKnown(text) && isExcluded(text.join('')),
  );
  if (isUnequal) return different;
  const isDecided = [
    [one[0], other[0]],
    [one.at(-1), other.at(-1)],
    [...one, ...other],
  ].some(areKnown);
  return isDecided ? different : { kind: 'open', claims: claimsIn([...one, ...other].join('')) };
};

/** Compares two lists without regard to order and repetition, as authorizers do. */
const compareLists = (
  left: readonly string[],
  right: readonly string[],
  isExcluded: IsExcluded,
): Comparison => {
  const before = new Set(left);
  const after = new Set(right);
  const lost = [...before].filter((item) => !after.has(item));
  const gained = [...after].filter((item) => !before.has(item));
  if (lost.length === 0 && gained.length === 0) return same;
  const sides = [
    [lost, [...after]],
    [gained, [...before]],
  ] as const;
  if (sides.some(([items, others]) => hasUnequal(items, others, isExcluded))) return different;
  return { kind: 'open', claims: [...lost, ...gained, ...left, ...right].flatMap(claimsIn) };
};

/** The most pairs of strings that are compared. */
const maxPairs = 100_000;

/** Checks whether an item is certainly different from all others. */
const hasUnequal = (
  items: readonly string[],
  others: readonly string[],
  isExcluded: IsExcluded,
): boolean => {
  const open = others.filter(hasPlaceholder);
  if (items.length * others.length > maxPairs && (open.length > 0 || items.some(hasPlaceholder))) {
    return false;
  }
  return items.some((item) => {
    const comparable = hasPlaceholder(item) ? others : open;
    return comparable.every((other) => compareTexts(item, other, isExcluded).kind === 'different');
  });
};

/** What is known about an identity. */
export interface KnownUser extends Pick<UserInfo, 'username' | 'uid'> {
  readonly groups: readonly string[] | undefined;
  readonly extra: UserInfo['extra'] | undefined;
}

/** The fields of an identity that are compared. */
export type UserField = keyof UserInfo;

/** Compares each field; a field that is not known is open, and depends on no claim. */
export const compareUsers = (
  before: KnownUser,
  after: UserInfo,
  isExcluded: IsExcluded,
): Readonly<Record<UserField, Comparison>> => ({
  username: compareTexts(before.username, after.username, isExcluded),
  uid: compareTexts(before.uid, after.uid, isExcluded),
  groups:
    before.groups === undefined ? unknown : compareLists(before.groups, after.groups, isExcluded),
  extra: before.extra === undefined ? unknown : compareExtra(before.extra, after.extra, isExcluded),
});

const unknown: Comparison = { kind: 'open', claims: [] };

const compareExtra = (
  before: UserInfo['extra'],
  after: UserInfo['extra'],
  isExcluded: IsExcluded,
): Comparison => {
  if (before.size !== after.size) return different;
  const results = [...before].map(([key, values]) => {
    const others = after.get(key);
    return others === undefined ? different : compareLists(values, others, isExcluded);
  });
  if (results.some(({ kind }) => kind === 'different')) return different;
  return results.find(({ kind }) => kind === 'open') ?? same;
};
