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
  const folded = foldSlash(written.toLowerCase());
  const host = hostOf(written);
  let best: NearestValue | undefined;
  for (const candidate of [...new Set(candidates)].slice(0, mostCandidates)) {
    if (foldSlash(candidate.toLowerCase()) === folded)
      return {
        index: candidates.indexOf(candidate),
        rank: 0,
        relation: relationOfFolded(written, candidate),
      };
    const isSameHost = host !== undefined && hostOf(candidate) === host;
    const weight = isSameHost ? 0.5 : 1;
    const length = Math.min(written.length, candidate.length);
    // Larger distances would not be used.
    const most = Math.min(
      mostDifferent,
      isSameHost ? Infinity : Math.floor(length / 3),
      best === undefined ? Infinity : Math.ceil(best.rank / weight) - 1,
    );
    const isComparable = Math.max(written.length, candidate.length) <= longestCompared;
    const compared = isComparable ? editDistance(written, candidate, most) : mostDifferent + 1;
    const distance = isSameHost ? Math.min(compared, mostDifferent) : compared;
    if (distance > most) continue;
    const characters = distance === 1 ? 'one character' : `${distance} characters`;
    const relation = isSameHost ? `has the same host, ${host}` : `differs in ${characters}`;
    best = { index: candidates.indexOf(candidate), rank: distance * weight, relation };
  }
  return best;
};

/** More different candidates are not compared. */
const mostCandidates = 1000;

/** Longer strings are not compared character by character. */
const longestCompared = 200;

/** Distances are not counted further: such strings have nothing but their host in common. */
const mostDifferent = 20;

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
