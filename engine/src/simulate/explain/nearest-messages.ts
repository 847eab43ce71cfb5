/** Finds the known messages that are most like an unknown text, by the words they share. */
import { evaluationMessageTexts } from './evaluation-messages.ts';
import { stagePatterns } from './explain-module.ts';
import { topPatterns } from './message-patterns.ts';
import { patternText } from './pattern-text.ts';
import { distributedPatterns, verificationPatterns } from './token-patterns.ts';

/**
 * Returns at most three known messages with `…` for their variable parts, best first; none if no
 * message is similar.
 */
export const nearestMessages = (text: string): readonly string[] => {
  const { messages, weightOf } = known();
  const own = wordsOf(text.slice(0, maxComparedText));
  const ownWeight = sum(own, weightOf);
  const ranked = messages
    .map(({ message, words }) => {
      const shared = [...words].filter((word) => own.has(word));
      const similarity =
        shared.length < minSharedWords
          ? 0
          : (2 * sum(shared, weightOf)) / (ownWeight + sum(words, weightOf));
      return { message, similarity };
    })
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((left, right) => right.similarity - left.similarity);
  const least = (ranked[0]?.similarity ?? 0) * minOfBest;
  return ranked
    .filter(({ similarity }) => similarity >= least)
    .slice(0, maxMessages)
    .map(({ message }) => message);
};

const maxMessages = 3;
/** The length of the beginning of a text that is compared. */
const maxComparedText = 2_048;
/** The least number of common words: one says nothing. */
const minSharedWords = 2;
/** The least similarity, from 0 (no common word) to 1 (the same words). */
const minSimilarity = 0.5;
/** The least similarity of another message, as a part of the best one. */
const minOfBest = 0.8;

interface KnownMessages {
  readonly messages: readonly { readonly message: string; readonly words: ReadonlySet<string> }[];
  /** Rare words weigh more than words of many messages. */
  readonly weightOf: (word: string) => number;
}

let memo: KnownMessages | undefined;

const known = (): KnownMessages => {
  memo ??= readKnown();
  return memo;
};

const readKnown = (): KnownMessages => {
  const texts = new Set([
    ...verificationPatterns.map(({ pattern }) => `oidc: verify token: ${patternText(pattern)}`),
    ...distributedPatterns.map(
      ({ pattern }) => `oidc: could not expand distributed claims: ${patternText(pattern)}`,
    ),
    ...evaluationMessageTexts,
    ...[...topPatterns, ...stagePatterns].map(({ pattern }) => patternText(pattern)),
  ]);
  const messages = [...texts].map((message) => ({ message, words: wordsOf(message) }));
  const countOf = new Map<string, number>();
  for (const { words } of messages)
    for (const word of words) countOf.set(word, (countOf.get(word) ?? 0) + 1);
  return {
    messages,
    weightOf: (word) => {
      const count = countOf.get(word);
      // Words of no message are mostly values: names, addresses, numbers.
      return count === undefined ? 1 : Math.log(1 + messages.length / count);
    },
  };
};

/** Returns the words of at least two letters in lower case. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[a-z][a-z_]+/g) ?? []);

const sum = (words: Iterable<string>, weightOf: (word: string) => number): number => {
  let total = 0;
  for (const word of words) total += weightOf(word);
  return total;
};
