/**
 * Plans calls: operators with steps of their own, calls with constant arguments, and all other
 * functions.
 */

import type { Span } from '../../../source/span.ts';
import { costOfEquality } from '../../cost/cost.ts';
import { compileRegex, regexTooLargeMessage } from '../../regex/regex.ts';
import type { CallNode, CelNode } from '../../tree/ast.ts';
import { equals } from '../../values/equality.ts';
import { costLimitExceeded } from '../../values/evaluation-errors.ts';
import { nativeInt, nativeString } from '../../values/native-value.ts';
import { joinWrapped } from '../../values/string-operations.ts';
import {
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  isList,
  noSuchOverload,
  stringList,
} from '../../values/value.ts';
import { type CallTarget, callStep, costOf, type Invoke, invokeOf } from './calls.ts';
import { membershipStep } from './literals.ts';
import {
  andStep,
  notStrictlyFalseStep,
  optionalOrStep,
  optionalOrValueStep,
  orStep,
} from './logic.ts';
import { planIndex } from './plan-attribute.ts';
import { PlanError } from './plan-error.ts';
import { type PlanContext, type Planned, type Scope, toAttribute, toStep } from './planned.ts';
import { constructedFrom, mergedProvenance, type Provenance, plainData } from './provenance.ts';
import { createRun, type Step } from './run.ts';
import { specializeOptional } from './specialized/attribute.ts';
import {
  type Equality,
  equalsScalarStep,
  equalsStringStep,
  resultOfEquality,
} from './specialized/call.ts';
import { specializeCall, specializedForms } from './specialized/specialize-call.ts';
import { isPartOf } from './variable-data.ts';

/** Plans a call, an operator, or an index. */
export const planCall = (context: PlanContext, node: CallNode, scope: Scope): Planned => {
  const args = node.target === undefined ? node.args : [node.target, ...node.args];
  const [first, second] = args;
  if (first !== undefined && second !== undefined) {
    const optional = node.function !== '_[_]';
    if (indexOperators.has(node.function)) {
      return planIndex(context, node, { operand: first, key: second, optional }, scope);
    }
  }
  const planned = args.map((arg) => context.plan(arg, scope));
  return planOperator(context, node, planned) ?? planFunction(context, node, planned);
};

const indexOperators: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);

/** Plans operators that have instructions of their own in cel-go. */
const planOperator = (
  context: PlanContext,
  node: CallNode,
  args: readonly Planned[],
): Planned | undefined => {
  const [a, b, c] = args;
  if (a === undefined) return undefined;
  if (node.function === '@not_strictly_false') {
    return plannedStep(node, plainData, notStrictlyFalseStep(toStep(context, a)));
  }
  if (b === undefined) return undefined;
  const pair = (combine: (left: Step, right: Step) => Step, provenance = plainData): Planned =>
    plannedStep(node, provenance, combine(toStep(context, a), toStep(context, b)));
  switch (node.function) {
    case '_&&_':
      return pair(andStep);
    case '_||_':
      return pair(orStep);
    case 'or':
      return pair(optionalOrStep(context.release), mergedProvenance([a.provenance, b.provenance]));
    case 'orValue': {
      const step = context.allowSpecialized ? specializeOrValue(a, toStep(context, b)) : undefined;
      const provenance = mergedProvenance([a.provenance, b.provenance]);
      return step === undefined
        ? pair(optionalOrValueStep(context.release), provenance)
        : plannedStep(node, provenance, step);
    }
    case '_==_':
    case '_!=_': {
      const equality: Equality = {
        expected: node.function === '_==_',
        charge: costOfEquality(node.function, context.release),
      };
      const step = context.allowSpecialized ? specializeEquals(context, equality, a, b) : undefined;
      return step === undefined ? pair(equalityStep(equality)) : plannedStep(node, plainData, step);
    }
    case '_?_:_':
      return c === undefined ? undefined : planConditional(context, node, [a, b, c]);
    default:
      return undefined;
  }
};

/** Specializes `a.?b.orValue(c)`, which needs no optional value. */
const specializeOrValue = (left: Planned, right: Step): Step | undefined => {
  const find = left.kind === 'attribute' ? specializeOptional(left.attribute) : undefined;
  return (
    find &&
    ((run) => {
      const found = find(run);
      return found === undefined ? right(run) : found;
    })
  );
};

/** Specializes a comparison with a constant scalar. */
const specializeEquals = (
  context: PlanContext,
  equality: Equality,
  left: Planned,
  right: Planned,
): Step | undefined => {
  if (right.kind !== 'constant' || left.kind === 'constant') return undefined;
  const { value } = right;
  if (typeof value === 'string') return equalsStringStep(toStep(context, left), value, equality);
  return value === null || typeof value !== 'object'
    ? equalsScalarStep(toStep(context, left), value, equality)
    : undefined;
};

/** Plans a conditional as an attribute: a selection from it applies to the selected branch. */
const planConditional = (
  context: PlanContext,
  node: CallNode,
  [condition, whenTrue, whenFalse]: readonly [Planned, Planned, Planned],
): Planned => ({
  kind: 'attribute',
  nodeId: node.id,
  provenance: mergedProvenance([whenTrue.provenance, whenFalse.provenance]),
  attribute: {
    kind: 'conditional',
    condition: toStep(context, condition),
    whenTrue: toAttribute(context, whenTrue),
    whenFalse: toAttribute(context, whenFalse),
    tested: false,
  },
});

const equalityStep =
  ({ expected, charge }: Equality) =>
  (left: Step, right: Step): Step =>
  (run) => {
    const a = left(run);
    const b = right(run);
    run.cost += charge(a, b, null);
    if (a instanceof CelError) return a;
    return b instanceof CelError ? b : resultOfEquality(equals(a, b), expected);
  };

/** Plans a call of a certain form; returns `undefined` for other calls. */
type PlanCall = (
  context: PlanContext,
  node: CallNode,
  target: CallTarget,
  args: readonly Planned[],
) => Planned | undefined;

const planFunction = (context: PlanContext, node: CallNode, args: readonly Planned[]): Planned => {
  const target: CallTarget = { name: node.function, overload: context.overloadOf(node.id) };
  return (
    foldConversion(context, node, target, args) ??
    foldMembership(context, node, target, args) ??
    planSpecialized(context, node, target, args) ??
    plannedStep(
      node,
      provenanceOf(target, args),
      functionStep(context, target, args, patternOf(node)?.span),
    )
  );
};

/** Plans a specialized call, with the forms that its parents may use. */
const planSpecialized: PlanCall = (context, node, target, args) => {
  if (!context.allowSpecialized || seesWrapper(target, args)) return undefined;
  const step = specializeCall(context, target, args);
  if (step === undefined) return undefined;
  const forms = specializedForms(context, target, args);
  const planned = plannedStep(node, provenanceOf(target, args), step);
  return forms === undefined || planned.kind !== 'step' ? planned : { ...planned, forms };
};

const functionStep = (
  context: PlanContext,
  target: CallTarget,
  args: readonly Planned[],
  patternSpan: Span | undefined,
): Step => {
  const steps = args.map((arg) => toStep(context, arg));
  const search = regexInvoke(target, args, patternSpan);
  if (search !== undefined) return callStep(search, costOf(context.table, target), steps, true);
  const invoke =
    nonZeroInvoke(context, target, args) ??
    joinInvoke(context, target, args) ??
    invokeOf(context.table, target);
  const stopsEarly = args.length > 2 || stopsAtFirstError(context, target);
  return callStep(invoke, costOf(context.table, target), steps, stopsEarly);
};

/** Checks for calls that cel-go plans as functions with a variable number of arguments. */
const stopsAtFirstError = (context: PlanContext, target: CallTarget): boolean => {
  if (target.name === 'format') return true;
  const entry = context.table.functions.get(target.name);
  if (entry === undefined || entry.singleton !== undefined)
    return target.name === 'flatten' && target.overload === undefined;
  return entry.overloads.length > 1 && target.overload === undefined;
};

const conversions: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** Evaluates conversions of constants while planning. Their errors reject the expression. */
const foldConversion: PlanCall = (context, node, target, args) => {
  const [only] = args;
  if (args.length !== 1 || only?.kind !== 'constant' || !conversions.has(target.name)) {
    return undefined;
  }
  const value = invokeOf(context.table, target)([only.value]);
  if (value instanceof CelError) throw new PlanError(value.message);
  return { kind: 'constant', nodeId: node.id, provenance: plainData, value };
};

/** Plans `x in [constants]` as a look-up in a set. `x in []` is false, and `x` is not evaluated. */
const foldMembership: PlanCall = (context, node, target, [value, list]) => {
  if (target.overload !== 'in_list' || value === undefined || list?.kind !== 'constant') {
    return undefined;
  }
  if (!isList(list.value)) return undefined;
  if (list.value.length === 0) {
    return { kind: 'constant', nodeId: node.id, provenance: plainData, value: false };
  }
  const step = membershipStep(toStep(context, value), list.value);
  return step === undefined ? undefined : plannedStep(node, plainData, step);
};

const patternOf = ({ target, args }: CallNode): CelNode | undefined =>
  target === undefined ? args[1] : args[0];

/**
 * Creates the search for a constant expression, which is compiled once. Its errors reject the
 * expression.
 */
const regexInvoke = (
  target: CallTarget,
  args: readonly Planned[],
  patternSpan: Span | undefined,
): Invoke | undefined => {
  const pattern = args[1];
  if (!regexFunctions.has(target.name) || pattern?.kind !== 'constant') return undefined;
  if (typeof pattern.value !== 'string') return undefined;
  const regex = compileRegex(pattern.value);
  if (regex === costLimitExceeded) throw new PlanError(regexTooLargeMessage, patternSpan);
  if (regex instanceof CelError) throw new PlanError(regex.message, patternSpan);
  switch (target.name) {
    case 'matches':
      return ([value]) => searchNativeString(value, (text) => regex.test(text));
    case 'find':
      return ([value]) => searchNativeString(value, (text) => regex.find(text));
    default:
      return ([value, , limit = -1n]) => {
        const maxMatches = nativeInt(limit);
        return maxMatches === undefined
          ? noSuchOverload
          : searchNativeString(value, (text) => {
              const matches = regex.findAll(text, Number(maxMatches));
              return matches instanceof CelError ? matches : stringList(matches);
            });
      };
  }
};

const searchNativeString = (
  value: CelValue | undefined,
  search: (text: string) => CelResult,
): CelResult => {
  const text = nativeString(value);
  return text === undefined ? noSuchOverload : search(text);
};

const regexFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/**
 * Handles `optional.ofNonZeroValue`: an empty list or map that is wrapped data of a variable is not
 * a zero value.
 */
const nonZeroInvoke = (
  context: PlanContext,
  target: CallTarget,
  [arg]: readonly Planned[],
): Invoke | undefined => {
  if (target.name !== 'optional.ofNonZeroValue' || arg?.provenance.isWrapped !== true) {
    return undefined;
  }
  const invoke = invokeOf(context.table, target);
  // If only one of two branches returns data, the value itself shows which branch it was.
  return ([value = null], data = {}) =>
    isPartOf(data, value) ? new CelOptional(value) : invoke([value]);
};

/** Handles the error of `join`, which prints an element in its wrapper. */
const joinInvoke = (
  context: PlanContext,
  target: CallTarget,
  [list]: readonly Planned[],
): Invoke | undefined => {
  if (list === undefined || !joinsWrapped(target, list)) return undefined;
  const invoke = invokeOf(context.table, target);
  return (args) => {
    const joined = invoke(args);
    return isJoinError(joined) ? joinWrapped(...args) : joined;
  };
};

const isJoinError = (value: CelResult): boolean =>
  value instanceof CelError && value.message.startsWith('join: ');

const joinsWrapped = (target: CallTarget, list: Planned | undefined): boolean =>
  target.name === 'join' && list?.provenance.selected().isWrapped === true;

/**
 * Checks for functions whose result shows the wrapper of a variable's data; they have no
 * specialized step.
 */
const seesWrapper = (target: CallTarget, [first]: readonly Planned[]): boolean =>
  target.name === 'optional.ofNonZeroValue' || joinsWrapped(target, first);

/** Returns the provenance of a result. Some functions return an argument or its parts unchanged. */
const provenanceOf = (target: CallTarget, args: readonly Planned[]): Provenance => {
  const [first, second] = args;
  if (first === undefined) return plainData;
  const firstProvenance = first.provenance;
  switch (target.name) {
    case 'dyn':
    case 'value':
    case 'optional.of':
    case 'optional.ofNonZeroValue':
      return firstProvenance;
    case 'first':
    case 'last':
      return firstProvenance.selected();
    case 'slice':
    case 'reverse':
      return constructedFrom([firstProvenance.selected()]);
    case 'sort':
    case 'distinct':
    case '@sortByAssociatedKeys':
      // An empty list is returned unchanged.
      return {
        ...constructedFrom([firstProvenance.selected()]),
        isWrapped: firstProvenance.isWrapped,
      };
    case 'flatten':
      return constructedFrom([firstProvenance.iterated().iterated()]);
    case 'unwrapOpt':
    case 'optional.unwrap':
      return constructedFrom([firstProvenance.iterated()]);
    case '_+_': {
      const secondProvenance = second?.provenance ?? plainData;
      // Adding to an empty list returns the other list unchanged.
      return {
        ...constructedFrom([firstProvenance.iterated(), secondProvenance.selected()]),
        isWrapped: secondProvenance.isWrapped,
      };
    }
    default:
      return plainData;
  }
};

const plannedStep = (node: CelNode, provenance: Provenance, step: Step): Planned => ({
  kind: 'step',
  nodeId: node.id,
  provenance,
  step,
});

/** Evaluates a step that needs no variable, while planning. */
export const evaluateConstant = (step: Step): CelResult => step(createRun(0));
