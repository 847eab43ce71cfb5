/**
 * Checked tree -> a program of closures that counts its cost as the real server does. A second planner
 * lets a probe see every node; the first knows nothing of probes.
 */
import type { Release } from '../../model/release.ts';
import type { Span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import { costLimit } from '../cost/cost.ts';
import type { CelLibrary } from '../functions/library.ts';
import { libraries } from '../functions/registry.ts';
import type { CelNode } from '../tree/ast.ts';
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
import { type PlanContext, toStep } from './plan/planned.ts';
import {
  CostExceededError,
  createRun,
  createStrictRun,
  emptyRecord,
  type Run,
  type Step,
} from './plan/run.ts';
import { lazyVariablesSince, toUnstructured } from './plan/unstructured.ts';
import type { Evaluation, CostMeter, Probe, Program } from './program.ts';

/** A program, or why there can be none. */
export type PlanResult =
  | { readonly program: Program }
  /** Why the real server refuses it when it makes the program: the text behind `program instantiation failed: `. */
  | { readonly problem: string; readonly span?: Span | undefined };

/** What planning needs of a checked expression; a serialised one gives the same. */
export interface PlanInput {
  readonly tree: CelNode;
  readonly release: Release;
  nameOf(nodeId: number): string | undefined;
  overloadOf(nodeId: number): string | undefined;
  isTypeName(nodeId: number): boolean;
}

/** What planning may be told. */
export interface PlanOptions {
  /** Libraries whose functions may run; those of the authentication environments by default. */
  readonly libraries?: readonly CelLibrary[];
}

/** Why an expression is refused on which kube-apiserver panics while loading. */
export const panicProblem = ({ message }: PanicError): string => `internal error: ${message}`;

/** Plans a checked expression. */
export const planExpression = (checked: CheckedExpression, options: PlanOptions = {}): PlanResult =>
  planInput(inputOf(checked), options);

/** Plans a checked expression so that the probe sees what comes out of every node that runs. */
export const planWithProbe = (
  checked: CheckedExpression,
  probe: Probe,
  options: PlanOptions = {},
): PlanResult => planInput(inputOf(checked), options, probe);

/** Plans whatever gives a tree and what the checker found out. */
export const planInput = (input: PlanInput, options: PlanOptions, probe?: Probe): PlanResult => {
  try {
    const plan = planSteps(input, options, probe, probe === undefined);
    // A run that spends too much is run again by the exact plan, which is made when first needed.
    let exact: PlannedSteps | undefined;
    const getExactPlan = (): PlannedSteps => {
      exact ??= planSteps(input, options, probe, false);
      return exact;
    };
    const toVariable = input.release < lazyVariablesSince ? toUnstructured : unchanged;
    return { program: createProgram(plan, getExactPlan, toVariable) };
  } catch (error) {
    if (error instanceof PlanError) return { problem: error.message, span: error.span };
    // The real server does not survive this; refusing the expression is the nearest answer.
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
  options: PlanOptions,
  probe: Probe | undefined,
  allowSpecialized: boolean,
): PlannedSteps => {
  let slots = 0;
  const context: PlanContext = {
    table:
      options.libraries === undefined
        ? authenticationTable(input.release)
        : functionTable(options.libraries, input.release),
    release: input.release,
    nameOf: input.nameOf,
    overloadOf: input.overloadOf,
    isTypeName: input.isTypeName,
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

/** An overload is known only where the checker found exactly one. */
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

/** Below it no unit decides about anything. */
const exactCostThreshold = costLimit / 2;

const meterExactly = ({ value, error = '', cost }: Evaluation, meter: CostMeter): CelResult => {
  meter.spent += cost;
  return value === undefined ? new CelError(error) : value;
};

/** Runs a step. What the real server would not survive ends the evaluation with its message. */
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
    // Too deep or too large for the host: an error like others, never an answer.
    if (error instanceof RangeError) return new CelError('internal error: too deep or too large');
    throw error;
  }
};

/** Runs again to stop at the unit at which the real server stops. */
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
