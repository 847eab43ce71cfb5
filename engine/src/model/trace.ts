/** The trace of a decision for people to read. It is recorded only on request. */

/**
 * One step of a decision.
 *
 * @example
 * ```ts
 * const line = ({ at, what, outcome }: TraceStep) => `${at}: ${what} ${outcome}`;
 * ```
 */
export interface TraceStep {
  /**
   * The path of the part: `jwt[0]`, `jwt[0].claimValidationRules[1]`,
   * `jwt[0].claimMappings.username`.
   */
  readonly at: string;
  /** The name of the step: `signature`, `claim validation rule`, `username mapping`. */
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  /** A sentence or kube-apiserver's error message. Never contains a token or key. */
  readonly detail?: string;
  /** The value that was read or computed, as JSON data. */
  readonly value?: unknown;
  /** Sub-expressions and their values, in source order. */
  readonly values?: readonly TracedValue[];
}

export interface TracedValue {
  readonly expression: string;
  readonly value: string;
}

/**
 * Receives the steps; `undefined` instead of a sink disables tracing.
 *
 * @example
 * ```ts
 * const steps: TraceStep[] = [];
 * const sink: TraceSink = { step: (step) => steps.push(step) };
 * await linked.authenticate(request, signal, sink);
 * ```
 */
export interface TraceSink {
  step(step: TraceStep): void;
}
