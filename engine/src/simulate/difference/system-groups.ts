/** Summarizes the groups that start with `system:` which users gain by a change; `system:masters` first. */
import { counted } from '../../formats/counted.ts';
import { type AccessComparison, accessChangeKinds } from '../access/access-result.ts';
import { gainedSystemGroups, gainsFullControl, shownName } from './diff.ts';

/** The samples or claim sets that gain groups that start with `system:`. */
export interface SystemGroupGains {
  readonly count: number;
  /** The first groups of them, without repetition. */
  readonly groups: readonly string[];
}

/** The most groups that are named. */
const maxNamed = 3;

/** Returns what the gained groups of one user add to a summary. */
export const systemGroupGains = (groups: readonly string[]): SystemGroupGains => ({
  count: groups.length > 0 ? 1 : 0,
  groups: firstGroups(groups),
});

/** Adds gains in their order; the result does not depend on how they were added before. */
export const addSystemGroupGains = (gains: readonly SystemGroupGains[]): SystemGroupGains => ({
  count: gains.reduce((sum, { count }) => sum + count, 0),
  groups: firstGroups(gains.flatMap(({ groups }) => groups)),
});

/** Returns one more than is named, which shows that there are others. */
const firstGroups = (groups: readonly string[]): readonly string[] =>
  [...new Set(groups)].slice(0, maxNamed + 1);

/**
 * Returns a sentence about the groups that `known` samples or claim sets gain, and one about other groups that a token
 * gains which was found.
 */
export const systemGroupSentences = (
  verdicts: AccessComparison['verdicts'],
  { known, noun }: { readonly known: SystemGroupGains; readonly noun: string },
): readonly string[] => {
  const found = accessChangeKinds.flatMap((kind) => {
    const verdict = verdicts[kind];
    return verdict.kind === 'found' ? verdict.changes : [];
  });
  const named = new Set(known.groups.slice(0, maxNamed));
  const others = found
    .flatMap(({ before, after }) => gainedSystemGroups(before, after))
    .filter((group) => !named.has(group));
  const verb = known.count === 1 ? 'gains' : 'gain';
  return [
    ...(known.count === 0
      ? []
      : [`${counted(known.count, noun)} ${verb} ${shownGroups(known.groups)}`]),
    ...(others.length === 0 ? [] : [`a token can gain ${shownGroups(firstGroups(others))}`]),
  ];
};

/**
 * Returns a sentence about full control of the cluster, if the change gives it: to `known` samples or claim sets, else
 * to a token.
 */
export const fullControlSentences = (
  { verdicts, fullControl }: AccessComparison,
  { known, noun }: { readonly known: number; readonly noun: string },
): readonly string[] => {
  if (known > 0) {
    return [`${counted(known, noun)} ${known === 1 ? 'gains' : 'gain'} system:masters`];
  }
  const isPossible = accessChangeKinds.some((kind) => {
    const verdict = verdicts[kind];
    return (
      verdict.kind === 'found' &&
      verdict.changes.some(({ before, after }) => gainsFullControl(before, after))
    );
  });
  if (isPossible) return ['a token can gain system:masters'];
  return fullControl === undefined ? [] : [fullControlUndecided];
};

/** The sentence for a comparison without a search for tokens that gain full control. */
export const fullControlUndecided =
  'undecided whether a token can gain system:masters: too few evaluations were left to search for one';

const shownGroups = (groups: readonly string[]): string => {
  const names = groups.slice(0, maxNamed).map(shownName);
  if (names.length === 1) return names.join();
  return `system groups: ${[...names, ...(groups.length > maxNamed ? ['…'] : [])].join(', ')}`;
};
