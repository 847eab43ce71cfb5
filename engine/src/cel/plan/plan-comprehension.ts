/** Comprehension nodes: slots for their variables, and when the accumulator gets its first value. */
import type { ComprehensionNode } from '../ast.ts';
import { CelMap, isMap } from '../map-value.ts';
import { isList } from '../value.ts';
import { type AccumulatorInit, comprehensionStep } from './comprehension.ts';
import { type Local, type PlanContext, type Planned, type Scope, toStep } from './planned.ts';
import { eitherOf, madeOf, type Provenance } from './provenance.ts';

export const planComprehension = (
  context: PlanContext,
  node: ComprehensionNode,
  scope: Scope,
): Planned => {
  const init = context.plan(node.accuInit, scope);
  const range = context.plan(node.iterRange, scope);
  const item = range.provenance.iterated();
  const value = range.provenance.selected();
  const kind = initKind(init);
  const accumulator: Local = {
    slot: context.newSlot(),
    init: kind.kind === 'lazy' ? toStep(context, init) : undefined,
    provenance: accumulated(init, item, value),
  };
  const iterSlot = context.newSlot();
  const iterSlot2 = node.iterVar2 === undefined ? undefined : context.newSlot();
  const withResult = new Map(scope).set(node.accuVar, accumulator);
  const inLoop = new Map(withResult).set(node.iterVar, {
    slot: iterSlot,
    init: undefined,
    provenance: item,
  });
  if (node.iterVar2 !== undefined && iterSlot2 !== undefined) {
    inLoop.set(node.iterVar2, { slot: iterSlot2, init: undefined, provenance: item });
  }
  const result = context.plan(node.result, withResult);
  return {
    kind: 'step',
    nodeId: node.id,
    provenance: result.provenance,
    step: comprehensionStep({
      range: toStep(context, range),
      iterSlot,
      iterSlot2,
      accuSlot: accumulator.slot,
      init: kind,
      condition: toStep(context, context.plan(node.loopCondition, inLoop)),
      step: toStep(context, context.plan(node.loopStep, inLoop)),
      result: toStep(context, result),
    }),
  };
};

const initKind = (init: Planned): AccumulatorInit => {
  if (init.kind !== 'constant') return { kind: 'lazy' };
  const { value } = init;
  if (isList(value) && value.length === 0) return { kind: 'list' };
  if (value instanceof CelMap && value.size === 0 && isMap(value)) return { kind: 'map' };
  return { kind: 'constant', value };
};

/** What is collected comes out of the range, or is what the accumulator began with. */
const accumulated = (init: Planned, item: Provenance, value: Provenance): Provenance =>
  init.kind === 'constant' ? madeOf([eitherOf([item, value])]) : init.provenance;
