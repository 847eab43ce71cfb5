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

/** Returns the first pattern that matches the text, which is a part of the message. */
export const matchOne = (
  message: string,
  text: string,
  patterns: readonly MessagePattern[],
): RecognizedMessage | undefined => {
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
export const fill = (sentence: string, facts: ReadonlyMap<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts.get(name) ?? '…');
