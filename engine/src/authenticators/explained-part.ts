/** How nodes tell what they do: a tree of sentences, each with its place in the configuration. */

/** One part of the graph: its path in the configuration and a sentence. */
export interface ExplainedPart {
  /** `jwt[0].claimMappings.username`; `anonymous`. */
  readonly path: string;
  readonly sentence: string;
  readonly parts: readonly ExplainedPart[];
}

/** A text of the configuration, as data. */
export const quote = (text: string): string => JSON.stringify(text);

/** `a, b or c`. */
export const joinList = (items: readonly string[], conjunction: string): string =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
