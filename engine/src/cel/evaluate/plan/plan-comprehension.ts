/** Plans comprehensions: slots for their variables, and when the accumulator is initialized. */
import type { Release } from '../../../model/release.ts';
import type { ComprehensionNode } from '../../tree/ast.ts';
import { costLimitExceeded } from '../../values/evaluation-errors.ts';
import { CelMap, isMap } from '../../values/map-value.ts';
import { CelError, isList } from '../../values/value.ts';
import { costOf } from './calls.ts';
import {
  type AccumulatorInit,
  type ComprehensionSteps,
  comprehensionOver,
  comprehensionStep,
} from './comprehension.ts';
import {
  type Local,
  type PlanContext,
  type Planned,
  type Scope,
  toListStep,
  toStep,
} from './planned.ts';
import { constructedFrom, mergedProvenance, type Provenance, plainData } from './provenance.ts';
import type { Step } from './run.ts';
import {
  collectStep,
  type GeneralLoop,
  type MacroShape,
  quantifierStep,
  recognizeMacro,
} from './specialized/comprehension.ts';

/** The first release in which an accumulator is initialized when it is first read. */
const lazyAccumulatorsSince: Release = 32;

/**
 * The first release in which an error in the range of a two-variable macro is the error of the
 * macro.
 */
const reportsRangeErrorsSince: Release = 33;

const unsupportedRange = new CelError('unsupported comprehension range type: *types.Err');

const unsupportedRangeStep =
  (range: Step): Step =>
  (run) => {
    const values = range(run);
    return values instanceof CelError && values !== costLimitExceeded ? unsupportedRange : values;
  };

/** Plans a comprehension. Common macros over lists are specialized. */
export const planComprehension = (
  context: PlanContext,
  node: ComprehensionNode,
  scope: Scope,
): Planned => {
  const init = context.plan(node.accuInit, scope);
  const range = context.plan(node.iterRange, scope);
  const item = range.provenance.iterated();
  const value = range.provenance.selected();
  const initialValue = accumulatorInit(init);
  const initStep = initialValue.kind === 'lazy' ? toStep(context, init) : undefined;
  const isEager = context.release < lazyAccumulatorsSince;
  const accumulator: Local = {
    slot: context.newSlot(),
    init: isEager ? undefined : initStep,
    provenance: accumulatorProvenance(init, item, value),
  };
  const iterSlot = context.newSlot();
  const iterSlot2 = node.iterVar2 === undefined ? undefined : context.newSlot();
  const resultScope = new Map(scope).set(node.accuVar, accumulator);
  const loopScope = new Map(resultScope).set(node.iterVar, {
    slot: iterSlot,
    init: undefined,
    provenance: item,
  });
  if (node.iterVar2 !== undefined && iterSlot2 !== undefined) {
    loopScope.set(node.iterVar2, { slot: iterSlot2, init: undefined, provenance: item });
  }
  const general = (): ComprehensionSteps => ({
    iterSlot,
    iterSlot2,
    accuSlot: accumulator.slot,
    init: initStep !== undefined && isEager ? { kind: 'eager', step: initStep } : initialValue,
    condition: toStep(context, context.plan(node.loopCondition, loopScope)),
    step: toStep(context, context.plan(node.loopStep, loopScope)),
    result: toStep(context, context.plan(node.result, resultScope)),
  });
  const macro = context.allowSpecialized ? recognizeMacro(node) : undefined;
  if (macro !== undefined) {
    const loop = { range: toListStep(context, range), slot: iterSlot, general };
    return planMacro(context, node, { macro, loop, scope: loopScope });
  }
  const { provenance } = context.plan(node.result, resultScope);
  const rangeStep = toListStep(context, range);
  const reportsError = node.iterVar2 === undefined || context.release >= reportsRangeErrorsSince;
  const step = comprehensionStep(
    reportsError ? rangeStep : unsupportedRangeStep(rangeStep),
    general(),
  );
  return { kind: 'step', nodeId: node.id, provenance, step };
};

interface MacroLoop {
  readonly range: Step;
  readonly slot: number;
  readonly general: () => ComprehensionSteps;
}

/** Plans a specialized loop over a list. The general loop is planned if the range is not a list. */
const planMacro = (
  context: PlanContext,
  node: ComprehensionNode,
  {
    macro,
    loop,
    scope,
  }: { readonly macro: MacroShape; readonly loop: MacroLoop; readonly scope: Scope },
): Planned => {
  let generalLoop: GeneralLoop | undefined;
  const runGeneralLoop: GeneralLoop = (run, values) => {
    generalLoop ??= comprehensionOver(loop.general());
    return generalLoop(run, values);
  };
  const plannedStep = (provenance: Provenance, step: Step): Planned => ({
    kind: 'step',
    nodeId: node.id,
    provenance,
    step,
  });
  if (macro.kind !== 'map') {
    const predicate = toStep(context, context.plan(macro.predicate, scope));
    return plannedStep(
      plainData,
      quantifierStep(loop, predicate, {
        stop: macro.kind === 'exists',
        conditionCost:
          fixedCostOf(context, '@not_strictly_false') +
          (macro.kind === 'exists' ? fixedCostOf(context, '!_') : 0),
        general: runGeneralLoop,
      }),
    );
  }
  const filter =
    macro.filter === undefined ? undefined : toStep(context, context.plan(macro.filter, scope));
  const element = context.plan(macro.element, scope);
  return plannedStep(
    constructedFrom([element.provenance]),
    collectStep(loop, {
      filter,
      element: toStep(context, element),
      isConstant: element.kind === 'constant',
      addCost: fixedCostOf(context, '_+_', 'add_list'),
      general: runGeneralLoop,
    }),
  );
};

/** Returns the cost of a call that costs the same for all values. */
const fixedCostOf = (context: PlanContext, name: string, overload?: string): number => {
  const cost = costOf(context.table, { name, overload });
  if (typeof cost !== 'number') throw new Error(`unreachable: ${name} has a fixed cost`);
  return cost;
};

const accumulatorInit = (init: Planned): AccumulatorInit => {
  if (init.kind !== 'constant') return { kind: 'lazy' };
  const { value } = init;
  if (isList(value) && value.length === 0) return { kind: 'list' };
  if (value instanceof CelMap && value.size === 0 && isMap(value)) return { kind: 'map' };
  return { kind: 'constant', value };
};

/**
 * The provenance of the accumulator: its elements come from the range, or from its initial value.
 */
const accumulatorProvenance = (init: Planned, item: Provenance, value: Provenance): Provenance =>
  init.kind === 'constant' ? constructedFrom([mergedProvenance([item, value])]) : init.provenance;
