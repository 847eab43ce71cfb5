/**
 * Plans a checked tree as a program of closures that counts its cost like kube-apiserver. A plan
 * with a probe reports every node; a plan without one contains no code for probes.
 */
import type { Release } from '../../model/release.ts';
import type { Span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import { costLimit } from '../cost/cost.ts';
import type { CelLibrary } from '../functions/library.ts';
import { libraries } from '../functions/registry.ts';
import { costLimitExceeded, PanicError } from '../values/evaluation-errors.ts';
import { beginEvaluation, endEvaluation, StepsExceededError } from '../values/evaluation-steps.ts';
import { VariableMap } from '../values/map-value.ts';
import {
  CelError,
  type CelResult,
  type CelValue,
  isRecord,
  type JsonRecord,
} from '../values/value.ts';
import { type FunctionTable, functionTable } from './plan/calls.ts';
import { PlanError } from './plan/plan-error.ts';
import { planNode } from './plan/plan-node.ts';
import { type PlanContext, type PlanInput, toStep } from './plan/planned.ts';
import {
  CostExceededError,
  createRun,
  createStrictRun,
  emptyRecord,
  type Run,
  type Step,
} from './plan/run.ts';
import { lazyVariablesSince, toUnstructured } from './plan/unstructured.ts';
import type { CostMeter, Evaluation, Probe, Program } from './program.ts';

/** A program, or the reason why planning failed. */
export type PlanResult =
  | { readonly program: Program }
  /**
   * The message that follows `program instantiation failed: ` when kube-apiserver rejects the
   * expression.
   */
  | { readonly problem: string; readonly span?: Span | undefined };

/** Options of planning. */
export interface PlanOptions {
  /**
   * The libraries whose functions are available; by default those of the authentication
   * environments.
   */
  readonly libraries?: readonly CelLibrary[];
  /**
   * Observes the result of every node that is evaluated. It identifies the nodes of a serialized
   * expression by their IDs in the original tree.
   */
  readonly probe?: Probe;
}

/** Returns the problem of an expression on which kube-apiserver panics while loading. */
export const panicProblem = ({ message }: PanicError): string => `internal error: ${message}`;

/** Plans a checked expression. */
export const planExpression = (checked: CheckedExpression, options: PlanOptions = {}): PlanResult =>
  planInput(inputOf(checked), options);

/** Plans a tree with the results of the checker. */
export const planInput = (input: PlanInput, options: PlanOptions): PlanResult => {
  try {
    const plan = planSteps(input, options, options.probe === undefined);
    // A run that exceeds the limit is repeated with the exact plan, which is created when it is
    // first needed.
    let exact: PlannedSteps | undefined;
    const getExactPlan = (): PlannedSteps => {
      exact ??= planSteps(input, options, false);
      return exact;
    };
    const toVariable = input.release < lazyVariablesSince ? toUnstructured : unchanged;
    return { program: createProgram(plan, getExactPlan, toVariable) };
  } catch (error) {
    if (error instanceof PlanError) return { problem: error.message, span: error.span };
    // kube-apiserver crashes here; rejecting the expression is the closest behavior.
    if (error instanceof PanicError) return { problem: panicProblem(error) };
    throw error;
  }
};

interface PlannedSteps {
  readonly step: Step;
  readonly slots: number;
}

const planSteps = (
  input: PlanInput,
  { libraries: customLibraries, probe }: PlanOptions,
  allowSpecialized: boolean,
): PlannedSteps => {
  let slots = 0;
  const context: PlanContext = {
    ...input,
    table:
      customLibraries === undefined
        ? authenticationTable(input.release)
        : functionTable(customLibraries, input.release),
    probe,
    allowSpecialized,
    newSlot: () => slots++,
    plan: (node, scope) => planNode(context, node, scope),
  };
  const step = toStep(context, context.plan(input.tree, new Map()));
  return { step, slots };
};

const inputOf = ({ tree, types, references, release }: CheckedExpression): PlanInput => ({
  tree,
  release,
  nameOf: (nodeId) => references.get(nodeId)?.name,
  overloadOf: (nodeId) => singleOverload(references.get(nodeId)?.overloads),
  isTypeName: (nodeId) => types.get(nodeId)?.kind === 'type',
});

/** Returns the overload if the checker found exactly one. */
const singleOverload = (overloads: readonly string[] | undefined): string | undefined =>
  overloads?.length === 1 ? overloads[0] : undefined;

const tablesByRelease = new Map<Release, FunctionTable>();

const authenticationTable = (release: Release): FunctionTable => {
  const cached = tablesByRelease.get(release);
  if (cached !== undefined) return cached;
  const table = functionTable(libraries, release);
  tablesByRelease.set(release, table);
  return table;
};

const unchanged = (record: JsonRecord): JsonRecord => record;

const createProgram = (
  planned: PlannedSteps,
  getExactPlan: () => PlannedSteps,
  toVariable: (record: JsonRecord) => JsonRecord,
): Program => {
  const run = createRun(planned.slots);
  const { step } = planned;
  const evaluate = (variable: CelValue): Evaluation => {
    run.record = toVariable(recordOf(variable));
    run.cost = 0;
    run.isCostUpperBound = false;
    const result = runStep(step, run);
    const { cost } = run;
    if (cost > costLimit) return rerunStrictly(getExactPlan(), run.record);
    run.record = emptyRecord;
    return result instanceof CelError
      ? { value: undefined, error: result.message, cost }
      : { value: result, error: undefined, cost };
  };
  return {
    evaluate,
    evaluateMetered(record, meter) {
      run.record = toVariable(record);
      run.cost = 0;
      run.isCostUpperBound = true;
      const result = runStep(step, run);
      run.record = emptyRecord;
      if (run.cost > exactCostThreshold) return meterExactly(evaluate(record), meter);
      meter.spent += run.cost;
      return result;
    },
  };
};

/** The cost below which a run cannot have exceeded the limit. */
const exactCostThreshold = costLimit / 2;

const meterExactly = ({ value, error = '', cost }: Evaluation, meter: CostMeter): CelResult => {
  meter.spent += cost;
  return value === undefined ? new CelError(error) : value;
};

/**
 * Runs a step. Where kube-apiserver would panic, the evaluation ends with the message of the panic.
 */
const runStep = (step: Step, run: Run): CelResult => {
  beginEvaluation();
  try {
    const result = step(run);
    endEvaluation();
    return result;
  } catch (error) {
    endEvaluation();
    if (error instanceof StepsExceededError) return costLimitExceeded;
    if (error instanceof PanicError) return new CelError(`internal error: ${error.message}`);
    // The value is too deep or too large for the JavaScript host.
    if (error instanceof RangeError) return new CelError('internal error: too deep or too large');
    throw error;
  }
};

/** Repeats a run to stop at the same unit as kube-apiserver. */
const rerunStrictly = ({ step, slots }: PlannedSteps, record: JsonRecord): Evaluation => {
  const run = createStrictRun(record, slots);
  try {
    runStep(step, run);
    return { value: undefined, error: costLimitExceeded.message, cost: run.cost };
  } catch (error) {
    if (!(error instanceof CostExceededError)) throw error;
    return { value: undefined, error: costLimitExceeded.message, cost: error.cost };
  }
};

const recordOf = (variable: CelValue): JsonRecord => {
  if (variable instanceof VariableMap) return variable.record;
  return isRecord(variable) ? variable : emptyRecord;
};
