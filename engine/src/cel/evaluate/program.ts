/** The program of a checked expression. */
import type { CelResult, CelValue, JsonRecord } from '../values/value.ts';

/** The result of one evaluation. */
export interface Evaluation {
  /** The value, or `undefined` if there is an error. */
  readonly value: CelValue | undefined;
  /**
   * kube-apiserver's message, such as `no such key: x`, without `expression '…' resulted in
   * error:`.
   */
  readonly error: string | undefined;
  /** The cost in units of kube-apiserver's cost model. */
  readonly cost: number;
}

/** A program that can be evaluated repeatedly. */
export interface Program {
  /** Evaluates with the value of the environment's variable (`claims` or `user`). Never throws. */
  evaluate(variable: CelValue): Evaluation;
  /**
   * Returns the same value or error, and adds an upper bound of the cost to the meter. The cost is
   * exact for an expression that comes close to its limit.
   */
  evaluateMetered(variable: JsonRecord, meter: CostMeter): CelResult;
}

/** The total cost of several evaluations. */
export interface CostMeter {
  spent: number;
}

/**
 * Observes nodes: the ID of a node in the tree, and its result. Programs that are planned without a
 * probe have no overhead.
 */
export interface Probe {
  observe(nodeId: number, value: CelValue | undefined, error: string | undefined): void;
}
