/** Plans nodes by their kind. */

import type { CelNode, Constant, ListNode, MapNode } from '../../tree/ast.ts';
import { CelBytes, CelError, CelUint, type CelValue } from '../../values/value.ts';
import { listStep, mapStep, structStep } from './literals.ts';
import { planIdent, planSelect } from './plan-attribute.ts';
import { evaluateConstant, planCall } from './plan-call.ts';
import { planComprehension } from './plan-comprehension.ts';
import { PlanError } from './plan-error.ts';
import { type PlanContext, type Planned, type Scope, toStep } from './planned.ts';
import { constructedFrom, plainData } from './provenance.ts';
import type { Step } from './run.ts';

/** Plans a node by its kind. */
export const planNode = (context: PlanContext, node: CelNode, scope: Scope): Planned => {
  switch (node.kind) {
    case 'literal':
      return {
        kind: 'constant',
        nodeId: node.id,
        provenance: plainData,
        value: constantValue(node.constant),
      };
    case 'ident':
      return planIdent(context, node, scope);
    case 'select':
      return !node.testOnly && context.nameOf(node.id) !== undefined
        ? planIdent(context, node, scope)
        : planSelect(context, node, scope);
    case 'call':
      return planCall(context, node, scope);
    case 'list':
      return planList(context, node, scope);
    case 'map':
      return planMap(context, node, scope);
    case 'struct':
      return {
        kind: 'step',
        nodeId: node.id,
        provenance: plainData,
        step: structStep(
          context.nameOf(node.id) ?? node.typeName,
          node.fields.map(({ name, value, optional }) => ({
            name,
            value: toStep(context, context.plan(value, scope)),
            optional,
          })),
        ),
      };
    case 'comprehension':
      return planComprehension(context, node, scope);
    case 'hole':
      throw new PlanError('the expression is incomplete');
  }
};

/** Returns the value of a literal. */
export const constantValue = (constant: Constant): CelValue => {
  switch (constant.kind) {
    case 'null':
      return null;
    case 'uint':
      return new CelUint(constant.value);
    case 'bytes':
      return new CelBytes(constant.value);
    default:
      return constant.value;
  }
};

const planList = (context: PlanContext, node: ListNode, scope: Scope): Planned => {
  const planned = node.elements.map((element) => context.plan(element, scope));
  const optional = new Set(node.optionalIndices);
  const step = listStep(
    planned.map((element, index) => ({
      step: toStep(context, element),
      optional: optional.has(index),
    })),
  );
  return collection(node, planned, step);
};

const planMap = (context: PlanContext, node: MapNode, scope: Scope): Planned => {
  const planned = node.entries.map((entry) => ({
    key: context.plan(entry.key, scope),
    value: context.plan(entry.value, scope),
    optional: entry.optional,
  }));
  const step = mapStep(
    planned.map(({ key, value, optional }) => ({
      key: toStep(context, key),
      value: toStep(context, value),
      optional,
    })),
  );
  return collection(
    node,
    planned.flatMap(({ key, value }) => [key, value]),
    step,
  );
};

/**
 * Plans a list or map literal. One that consists of constants is evaluated once and costs nothing,
 * even if it fails.
 */
const collection = (node: CelNode, parts: readonly Planned[], step: Step): Planned => {
  const provenance = constructedFrom(parts.map((part) => part.provenance));
  if (!parts.every((part) => part.kind === 'constant')) {
    return { kind: 'step', nodeId: node.id, provenance, step };
  }
  const value = evaluateConstant(step);
  return value instanceof CelError
    ? { kind: 'step', nodeId: node.id, provenance, step: () => value }
    : { kind: 'constant', nodeId: node.id, provenance, value };
};
