/** Shared by all message readers: matches a pattern and fills its sentences from the text. */
import type { MessagePattern, MessageSubject } from './message-patterns.ts';

/** A known message; our code for it follows from its kind. */
export interface RecognizedMessage {
  /** The explained message, without the rest of its log line. */
  readonly message: string;
  /** What happened, in more detail than the code: `username-claim-missing`. */
  readonly kind: string;
  readonly meaning: string;
  readonly fix: string;
  readonly subject: MessageSubject;
  /**
   * Whether the subject is configured as an expression; `claim` if it is not, or if both are
   * possible.
   */
  readonly form: 'claim' | 'expression';
  /**
   * Facts that the message gives about its subject: `claim`, `expression`, `issuer`, `path`,
   * `want`, …
   */
  readonly facts: ReadonlyMap<string, string>;
}

/** Returns the first pattern that matches the text, with its sentences filled from the text. */
export const firstMatch = <Row extends Pick<MessagePattern, 'pattern' | 'meaning' | 'fix'>>(
  text: string,
  patterns: readonly Row[],
) => {
  for (const row of patterns) {
    const match = row.pattern.exec(text);
    if (match === null) continue;
    const facts = factsOf(match);
    return { ...row, meaning: fill(row.meaning, facts), fix: fill(row.fix, facts), facts };
  }
  return undefined;
};

/** Recognizes a message by a pattern of the text, which is a part of the message. */
export const matchOne = (
  message: string,
  text: string,
  patterns: readonly MessagePattern[],
  subjectOfMost: MessageSubject,
): RecognizedMessage | undefined => {
  const found = firstMatch(text, patterns);
  if (found === undefined) return undefined;
  const { name: kind, subject = subjectOfMost, form = 'claim', meaning, fix, facts } = found;
  return { message, kind, subject, form, meaning, fix, facts };
};

/** Returns the text after a prefix, or `undefined` if the text does not start with it. */
export const after = (text: string, prefix: string): string | undefined =>
  text.startsWith(prefix) ? text.slice(prefix.length) : undefined;

/** Returns the named groups of a match. */
export const factsOf = (match: RegExpExecArray): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(match.groups ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

/** Fills the `{…}` of a sentence. */
const fill = (sentence: string, facts: ReadonlyMap<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts.get(name) ?? '…');
