/** Plans identifiers, selections and indexes, which join into one chain. */

import type { Release } from '../../../model/release.ts';
import type { CelNode, IdentNode, SelectNode } from '../../tree/ast.ts';
import { unescapeName } from '../../tree/field-name.ts';
import { ownMember, VariableMap } from '../../values/map-value.ts';
import { declaresTypesSince, scalarAliases } from '../../values/scalar-aliases.ts';
import { CelError, CelTypeValue } from '../../values/value.ts';
import { type AttributeSource, extendAttribute, type Qualifier } from './chain.ts';
import { localStep } from './comprehension.ts';
import { PlanError } from './plan-error.ts';
import {
  observedStep,
  type PlanContext,
  type Planned,
  type Scope,
  toAttribute,
  toKey,
  toListStep,
} from './planned.ts';
import { type Provenance, plainData, variableData } from './provenance.ts';
import { invalidKeyError, isKey } from './qualify.ts';
import type { Step } from './run.ts';
import { splitElementStep } from './specialized/split.ts';
import { lazyVariablesSince } from './unstructured.ts';

/** The types of the two whole variables. */
const variableTypes: ReadonlyMap<string, string> = new Map([
  ['claims', 'kubernetes.claims'],
  ['user', 'kubernetes.UserInfo'],
]);

/** Plans a variable, a variable of a comprehension, or the name of a type. */
export const planIdent = (
  context: PlanContext,
  node: IdentNode | SelectNode,
  scope: Scope,
): Planned => {
  const written = node.kind === 'ident' ? node.name : '';
  const name = context.nameOf(node.id) ?? written.replace(/^\./, '');
  if (context.isTypeName(node.id)) {
    return {
      kind: 'constant',
      nodeId: node.id,
      provenance: plainData,
      value: new CelTypeValue(name),
    };
  }
  const local = written.startsWith('.') ? undefined : scope.get(name);
  if (local !== undefined) {
    const root = observedStep(context, node.id, localStep(local.slot, local.init));
    const source = local.init === undefined ? local.slot : undefined;
    return chain(node.id, local.provenance, root, source);
  }
  const isLazy = context.release >= lazyVariablesSince;
  const root = observedStep(context, node.id, variableStep(context.release, name));
  const provenance = isLazy ? variableData : plainData;
  return chain(node.id, provenance, root, name);
};

/** Plans `a.b` and `has(a.b)`. */
export const planSelect = (context: PlanContext, node: SelectNode, scope: Scope): Planned => {
  const operand = context.plan(node.operand, scope);
  return select(context, operand, {
    nodeId: node.id,
    optional: false,
    testOnly: node.testOnly,
    key: { constant: node.field },
    raw: !operand.provenance.isWrapped,
  });
};

/** Plans `a[b]`, `a[?b]` and `a.?b`. */
export const planIndex = (
  context: PlanContext,
  node: CelNode,
  parts: { readonly operand: CelNode; readonly key: CelNode; readonly optional: boolean },
  scope: Scope,
): Planned => {
  const operand = context.plan(parts.operand, scope);
  const key = context.plan(parts.key, scope);
  if (key.kind === 'constant' && !isKey(key.value)) {
    throw new PlanError(invalidKeyError(key.value, false).message);
  }
  const chosen = select(context, operand, {
    nodeId: node.id,
    optional: parts.optional,
    testOnly: false,
    key:
      key.kind === 'constant'
        ? { constant: key.value }
        : { step: toKey(context, key), isWrapped: key.provenance.isWrapped },
    raw: !operand.provenance.isWrapped,
  });
  return parts.optional ? chosen : { ...chosen, specialized: splitElement(operand, key) };
};

/** Specializes `text.split('/')[2]`, which needs no list. */
const splitElement = (operand: Planned, key: Planned): Step | undefined => {
  const pieces = operand.kind === 'step' ? operand.forms?.split : undefined;
  if (pieces === undefined || key.kind !== 'constant' || typeof key.value !== 'bigint') {
    return undefined;
  }
  return key.value >= 0n && key.value < 1000n
    ? splitElementStep(pieces, Number(key.value))
    : undefined;
};

/**
 * Returns the step of a variable: `claims` or `user`, or any other in conformance tests with CEL's
 * specification.
 */
const variableStep = (release: Release, name: string): Step => {
  const typeName = variableTypes.get(name);
  if (typeName !== undefined) {
    return release >= lazyVariablesSince
      ? (run) => new VariableMap(typeName, run.record)
      : (run) => run.record;
  }
  const missing = new CelError(`no such attribute(s): ${name}`);
  if (release < declaresTypesSince && scalarAliases.has(name)) return () => missing;
  return (run) => {
    const value = ownMember(run.record, name);
    return value === undefined ? missing : value;
  };
};

const select = (
  context: PlanContext,
  operand: Planned,
  qualifier: Qualifier,
): Extract<Planned, { kind: 'attribute' }> => ({
  kind: 'attribute',
  nodeId: qualifier.nodeId,
  provenance: operand.provenance.selected(),
  attribute: extendAttribute(
    toAttribute(context, operand, toListStep),
    simplifyQualifier(qualifier),
  ),
});

/** Clears `raw` for names without escapes, which are the same in all data. */
const simplifyQualifier = (qualifier: Qualifier): Qualifier => {
  if (!('constant' in qualifier.key)) return qualifier;
  const { constant } = qualifier.key;
  const isSame = typeof constant !== 'string' || unescapeName(constant) === constant;
  return isSame ? { ...qualifier, raw: false } : qualifier;
};

const chain = (
  nodeId: number,
  provenance: Provenance,
  root: Step,
  source: AttributeSource,
): Planned => ({
  kind: 'attribute',
  nodeId,
  provenance,
  attribute: { kind: 'plain', root, source, qualifiers: [] },
});
