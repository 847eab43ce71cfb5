/** A provider of identities: a configuration to begin with, and claims as it really sends them. */

/** Seconds since 1970. */
export interface TokenTimes {
  readonly issued: number;
  readonly expires: number;
}

export interface Provider {
  /** File name and word of the command line: `github-actions`. */
  readonly id: string;
  readonly title: string;
  /** One line: who comes in. */
  readonly description: string;
  /** The provider's own page about its claims. */
  readonly source: string;
  /** What a newcomer has to know: lines of the comment at the head of the file. */
  readonly about: readonly string[];
  /** YAML below the head. */
  readonly configuration: string;
  /** Whose token the sample is, as a file name. */
  readonly sample: string;
  readonly claims: (times: TokenTimes) => object;
}
