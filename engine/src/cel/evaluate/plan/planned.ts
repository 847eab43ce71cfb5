/** The result of planning a node before its parents are planned, and the context of planning. */
import type { Release } from '../../../model/release.ts';
import type { CelNode } from '../../tree/ast.ts';
import { CelError, type CelResult, type CelValue } from '../../values/value.ts';
import type { Probe } from '../program.ts';
import { attributeStep, type ChainMode, resolveStep } from './attribute.ts';
import type { FunctionTable } from './calls.ts';
import type { Attribute, StepObserver } from './chain.ts';
import { keepsOptionalsSince } from './native-optional.ts';
import type { Provenance } from './provenance.ts';
import type { Step } from './run.ts';
import type { SplitOperands } from './specialized/split.ts';

interface PlannedBase {
  readonly nodeId: number;
  readonly provenance: Provenance;
}

/** A planned node. */
export type Planned =
  /** A value that is known while planning; it costs nothing. */
  | (PlannedBase & { readonly kind: 'constant'; readonly value: CelValue })
  /** A variable and the selections from it, which a further selection extends. */
  | (PlannedBase & {
      readonly kind: 'attribute';
      readonly attribute: Attribute;
      /** A specialized step for the whole attribute, including its own unit. */
      readonly specialized?: Step | undefined;
    })
  | (PlannedBase & {
      readonly kind: 'step';
      readonly step: Step;
      readonly forms?: SpecializedForms;
    });

/** Specialized steps that a parent may use instead of the step of the value. */
export interface SpecializedForms {
  /** The operand of `size()`, and the cost of the call. */
  readonly sized?: { readonly operand: Step; readonly cost: number };
  /** The list without the mark of native lists. */
  readonly list?: Step;
  /** The operands of `split()`. */
  readonly split?: SplitOperands;
}

/** A variable of an enclosing comprehension. */
export interface Local {
  readonly slot: number;
  /** How its value is computed when it is first read. */
  readonly init: Step | undefined;
  readonly provenance: Provenance;
}

/** The variables of the enclosing comprehensions, by name. */
export type Scope = ReadonlyMap<string, Local>;

/** What planning needs from a checked or serialized expression. */
export interface PlanInput {
  readonly tree: CelNode;
  readonly release: Release;
  /** Returns the name that an identifier resolved to. */
  nameOf(nodeId: number): string | undefined;
  /** Returns the overload of a call if exactly one fits. */
  overloadOf(nodeId: number): string | undefined;
  /** Checks whether an identifier names a type. */
  isTypeName(nodeId: number): boolean;
}

/** The input of planning, and the function that plans nodes. */
export interface PlanContext extends PlanInput {
  readonly table: FunctionTable;
  readonly probe: Probe | undefined;
  /**
   * Whether specialized steps may be used: there is no probe, and the run need not stop at an exact
   * unit.
   */
  readonly allowSpecialized: boolean;
  newSlot(): number;
  plan(node: CelNode, scope: Scope): Planned;
}

/** Returns the step of a node, which the probe observes if there is one. */
export const toStep = (context: PlanContext, planned: Planned): Step => {
  const { probe } = context;
  const step = unobservedStep(context, planned);
  // The last selection of a chain is observed inside the chain.
  const isObservedInside = planned.kind === 'attribute' && hasQualifiers(planned.attribute);
  return probe === undefined || isObservedInside
    ? step
    : observedStep(context, planned.nodeId, step);
};

/**
 * Returns a node as the beginning of a chain or as a branch of a conditional, where the attribute's
 * own unit is not counted.
 */
export const toAttribute = (
  context: PlanContext,
  planned: Planned,
  stepOf: typeof toStep = toStep,
): Attribute =>
  planned.kind === 'attribute'
    ? planned.attribute
    : {
        kind: 'plain',
        root: stepOf(context, planned),
        source: undefined,
        qualifiers: [],
      };

/** Returns the step of an index key: a chain does not add its own unit there. */
export const toKey = (context: PlanContext, planned: Planned): Step =>
  planned.kind === 'attribute'
    ? resolveStep(planned.attribute, chainModeOf(context))
    : toStep(context, planned);

/** Returns a step that the probe observes if there is one. */
export const observedStep = (context: PlanContext, nodeId: number, step: Step): Step => {
  const observe = observerOf(context);
  if (observe === undefined) return step;
  return (run) => {
    const value = step(run);
    observe(nodeId, value);
    return value;
  };
};

/** Adapts the probe to the observer of a chain. */
const observerOf = ({ probe }: PlanContext): StepObserver | undefined =>
  probe === undefined
    ? undefined
    : (nodeId, value) => {
        if (value instanceof CelError) probe.observe(nodeId, undefined, value.message);
        else probe.observe(nodeId, value, undefined);
      };

const chainModeOf = (context: PlanContext): ChainMode => {
  const observe = observerOf(context);
  const keepsOptionals = context.release >= keepsOptionalsSince;
  if (observe !== undefined) return { kind: 'observed', observe, keepsOptionals };
  return { kind: context.allowSpecialized ? 'specialized' : 'exact', keepsOptionals };
};

/**
 * Returns the step of a list whose parent only reads it, so that it need not be marked as a native
 * list.
 */
export const toListStep = (context: PlanContext, planned: Planned): Step =>
  (planned.kind === 'step' ? planned.forms?.list : undefined) ?? toStep(context, planned);

const unobservedStep = (context: PlanContext, planned: Planned): Step => {
  switch (planned.kind) {
    case 'constant':
      return constantStep(planned.value);
    case 'attribute':
      return planned.specialized ?? attributeStep(planned.attribute, chainModeOf(context));
    case 'step':
      return planned.step;
  }
};

const constantStep =
  (value: CelResult): Step =>
  () =>
    value;

const hasQualifiers = (attribute: Attribute): boolean =>
  attribute.kind === 'plain' && attribute.qualifiers.length > 0;
