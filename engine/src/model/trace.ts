/** The way a request took through the graph, for people. Made only when asked for. */

/** One thing that was looked at on the way to a decision. */
export interface TraceStep {
  /** Path of what was looked at: `jwt[0]`, `jwt[0].claimValidationRules[1]`, `jwt[0].claimMappings.username`. */
  readonly at: string;
  /** What it did, three or four words: `signature`, `claim validation rule`, `username mapping`. */
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  /** A sentence, or the real server's error text. Never holds a token or key. */
  readonly detail?: string;
  /** The value seen or made, as JSON data. */
  readonly value?: unknown;
  /** Sub-expressions and what they evaluated to, in source order. */
  readonly values?: readonly TracedValue[];
}

export interface TracedValue {
  readonly expression: string;
  readonly value: string;
}

/** Where steps go; `undefined` in its place means that nobody asked. */
export interface TraceSink {
  step(step: TraceStep): void;
}
