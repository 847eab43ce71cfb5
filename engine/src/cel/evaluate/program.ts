/** A checked expression made ready to run. */
import type { CelResult, CelValue, JsonRecord } from '../values/value.ts';

/** What one run of a program gave. */
export interface Evaluation {
  /** `undefined` exactly when there is an error. */
  readonly value: CelValue | undefined;
  /** The real message, `no such key: x`; without the `expression '…' resulted in error:` frame. */
  readonly error: string | undefined;
  /** Cost units spent, by the real model. */
  readonly cost: number;
}

/** Something to run, again and again. */
export interface Program {
  /** Runs with the value of the environment's one variable (`claims` or `user`). Never throws. */
  evaluate(variable: CelValue): Evaluation;
  /**
   * The same value or error, for who needs no exact cost: adds what it may have cost at most. An
   * expression that comes near its own limit is counted exactly.
   */
  evaluateMetered(variable: JsonRecord, meter: CostMeter): CelResult;
}

/** Cost units of several runs together. */
export interface CostMeter {
  spent: number;
}

/** What a probe sees: node id of the tree and what came out of it. Costs nothing when not planned in. */
export interface Probe {
  observe(nodeId: number, value: CelValue | undefined, error: string | undefined): void;
}
