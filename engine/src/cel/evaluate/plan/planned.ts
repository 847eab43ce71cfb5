/** What planning makes of a node before its parents are known, and what planning needs to know. */
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

interface PlannedBase {
  readonly nodeId: number;
  readonly provenance: Provenance;
}

/** A planned node. */
export type Planned =
  /** Known while planning: costs nothing. */
  | (PlannedBase & { readonly kind: 'constant'; readonly value: CelValue })
  /** A variable and what is selected from it, which a further selection joins. */
  | (PlannedBase & {
      readonly kind: 'attribute';
      readonly attribute: Attribute;
      /** A quick form of the whole, with its own unit. */
      readonly specialized?: Step | undefined;
    })
  | (PlannedBase & {
      readonly kind: 'step';
      readonly step: Step;
      readonly forms?: SpecializedForms;
    });

/** What a parent may use instead of a step's value. */
export interface SpecializedForms {
  /** Operand of `size()`, without the call's own unit. */
  readonly sized?: Step;
  /** The same list without the mark of native lists. */
  readonly list?: Step;
  /** The text and separator of a `split()`. */
  readonly split?: { readonly text: Step; readonly separator: string };
}

/** A variable of a comprehension that encloses a node. */
export interface Local {
  readonly slot: number;
  /** How its value is computed when it is first asked for. */
  readonly init: Step | undefined;
  readonly provenance: Provenance;
}

/** Variables of the comprehensions around a node, by name. */
export type Scope = ReadonlyMap<string, Local>;

/** What planning needs to know, and how nodes are planned. */
export interface PlanContext {
  readonly table: FunctionTable;
  readonly release: Release;
  /** The name that an identifier was resolved to. */
  nameOf(nodeId: number): string | undefined;
  /** The overload of a call, when exactly one fits. */
  overloadOf(nodeId: number): string | undefined;
  /** Whether an identifier names a type. */
  isTypeName(nodeId: number): boolean;
  readonly probe: Probe | undefined;
  /** Quick forms may be used: nobody watches, and nobody asks for the exact unit at which a run stops. */
  readonly allowSpecialized: boolean;
  newSlot(): number;
  plan(node: CelNode, scope: Scope): Planned;
}

/** The node as an instruction of its own, seen by the probe if there is one. */
export const toStep = (context: PlanContext, planned: Planned): Step => {
  const { probe } = context;
  const step = unobservedStep(context, planned);
  // A chain's last selection is watched inside it.
  const isObservedInside = planned.kind === 'attribute' && hasQualifiers(planned.attribute);
  return probe === undefined || isObservedInside
    ? step
    : observedStep(context, planned.nodeId, step);
};

/** The node as one of the branches of a conditional, where an attribute's own unit is not counted. */
export const toAttribute = (context: PlanContext, planned: Planned): Attribute =>
  planned.kind === 'attribute'
    ? planned.attribute
    : {
        kind: 'plain',
        root: toStep(context, planned),
        source: { kind: 'operand' },
        qualifiers: [],
      };

/** The key of an index: a chain resolves without its own unit there. */
export const toKey = (context: PlanContext, planned: Planned): Step =>
  planned.kind === 'attribute'
    ? resolveStep(planned.attribute, chainModeOf(context))
    : toStep(context, planned);

/** The step, seen by the probe if there is one. */
export const observedStep = (context: PlanContext, nodeId: number, step: Step): Step => {
  const observe = observerOf(context);
  if (observe === undefined) return step;
  return (run) => {
    const value = step(run);
    observe(nodeId, value);
    return value;
  };
};

/** How the probe is told. */
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

/** A list that the parent only looks into, so that the mark of native lists does not matter. */
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
