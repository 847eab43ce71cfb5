/**
 * The description of a compiled graph: a tree of sentences, each with its path in the
 * configuration.
 */

/** One part of the graph, with its path in the configuration and the sentence that describes it. */
export interface ExplainedPart {
  /** The path in the configuration: `jwt[0].claimMappings.username` or `anonymous`. */
  readonly path: string;
  readonly sentence: string;
  readonly parts: readonly ExplainedPart[];
}

/** Returns a part that has no parts of its own. */
export const simplePart = (path: string, sentence: string): ExplainedPart => ({
  path,
  sentence,
  parts: [],
});

/** Quotes a string of the configuration. */
export const quote = (text: string): string => JSON.stringify(text);

/** Joins a list: `a, b or c`. */
export const joinList = (items: readonly string[], conjunction: string): string =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
