/**
 * Finds the configured issuer or audience that is most similar to one of a token, for tokens whose
 * value no configuration has.
 */
import { editDistance } from '../../formats/edit-distance.ts';
import { isSlash, trimEnd } from '../../formats/trim.ts';

export interface NearestValue {
  /** Index of the value among the candidates. */
  readonly index: number;
  /** The relation in words: `differs only in a slash at its end`. */
  readonly relation: string;
  /** How similar it is: 0 for the most similar. */
  readonly rank: number;
}

/** Returns `undefined` if no candidate is similar; of equally similar ones, the first. */
export const nearestValue = (
  written: string,
  candidates: readonly string[],
): NearestValue | undefined => {
  return rankedCandidates(written, candidates).reduce<NearestValue | undefined>(
    (least, one) => (least === undefined || one.rank < least.rank ? one : least),
    undefined,
  );
};

const rankedCandidates = (
  written: string,
  candidates: readonly string[],
): readonly NearestValue[] => {
  const folded = foldSlash(written.toLowerCase());
  const host = hostOf(written);
  return candidates
    .slice(0, mostCandidates)
    .flatMap((candidate, index): readonly NearestValue[] => {
      if (foldSlash(candidate.toLowerCase()) === folded)
        return [{ index, rank: 0, relation: relationOfFolded(written, candidate) }];
      const distance =
        isComparable(written) && isComparable(candidate)
          ? editDistance(written, candidate)
          : longestCompared;
      if (host !== undefined && hostOf(candidate) === host)
        return [{ index, rank: distance / 2, relation: `has the same host, ${host}` }];
      const length = Math.min(written.length, candidate.length);
      if (distance > length / 3) return [];
      const characters = distance === 1 ? 'one character' : `${distance} characters`;
      return [{ index, rank: distance, relation: `differs in ${characters}` }];
    });
};

/** More candidates are not compared. */
const mostCandidates = 1000;

/** Longer strings are not compared character by character. */
const longestCompared = 200;

const isComparable = ({ length }: string): boolean => length <= longestCompared;

const foldSlash = (text: string): string => trimEnd(text, isSlash);

const relationOfFolded = (written: string, candidate: string): string => {
  if (foldSlash(written) === foldSlash(candidate)) return 'differs only in a slash at its end';
  return written.length === candidate.length
    ? 'differs only in letter case'
    : 'differs only in letter case and in a slash at its end';
};

/** Returns the host and port of a URL in lower case. */
const hostOf = (text: string): string | undefined =>
  /^[a-z][a-z\d+.-]{0,20}:\/\/([^/?#@]{1,255})(?:[/?#]|$)/i.exec(text)?.[1]?.toLowerCase();
