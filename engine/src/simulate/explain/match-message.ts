/** What all readers of messages share: a row that fits, and its sentences filled from the text. */
import type { MessagePattern, MessageSubject } from './message-patterns.ts';

/** A message that is known; our code for it is found from its kind. */
export interface Recognised {
  /** The message that is explained, out of the line it came in. */
  readonly message: string;
  /** What happened, finer than the code: `username-claim-missing`. */
  readonly kind: string;
  readonly meaning: string;
  readonly fix: string;
  readonly subject: MessageSubject;
  /** Whether the subject is there as an expression; `claim` where it is not, or where both fit. */
  readonly form: 'claim' | 'expression';
  /** What the message says of its subject: `claim`, `expression`, `issuer`, `path`, `want`, … */
  readonly facts: ReadonlyMap<string, string>;
}

/** The first pattern that fits the text, which is a part of the message. */
export const matchOne = (
  message: string,
  text: string,
  patterns: readonly MessagePattern[],
): Recognised | undefined => {
  for (const { name, pattern, subject, form, meaning, fix } of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const facts = factsOf(match);
    return {
      message,
      kind: name,
      subject,
      form: form ?? 'claim',
      meaning: fill(meaning, facts),
      fix: fill(fix, facts),
      facts,
    };
  }
  return undefined;
};

/** What follows a prefix; `undefined` without it. */
export const after = (text: string, prefix: string): string | undefined =>
  text.startsWith(prefix) ? text.slice(prefix.length) : undefined;

/** Named groups of a match. */
export const factsOf = (match: RegExpExecArray): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(match.groups ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

/** A sentence with its `{…}` filled. */
export const fill = (sentence: string, facts: ReadonlyMap<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts.get(name) ?? '…');
