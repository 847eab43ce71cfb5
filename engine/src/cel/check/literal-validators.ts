/**
 * The validators that kube-apiserver runs after type checking, in its order: homogeneous lists and
 * maps, and constant durations, timestamps, regular expressions and format strings.
 */
import type { Release } from '../../model/release.ts';
import type { Span } from '../../source/span.ts';
import { compileRegex } from '../regex/regex.ts';
import type { CallNode, CelNode, Constant, ListNode, MapNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import { costLimitExceeded, PanicError } from '../values/evaluation-errors.ts';
import { type CelType, errorType, isEquivalentType } from '../values/types.ts';
import { CelError, type CelValue } from '../values/value.ts';
import { type CheckError, typeMismatch } from './check-context.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { CallableOverload, CelEnvironment } from './environment.ts';
import { formatStringError } from './string-format-check.ts';

/**
 * kube-apiserver panics while it loads an expression with `?` before an element of a dynamic type.
 */
export class ValidatorPanicError extends PanicError {
  readonly span: Span;
  constructor(span: Span) {
    super('runtime error: index out of range [0] with length 0');
    this.span = span;
  }
}

/**
 * Validates the constants of an expression without type errors. Throws a `ValidatorPanicError` if
 * kube-apiserver panics.
 */
export const validateLiterals = (
  checked: CheckedExpression,
  environment: CelEnvironment,
): readonly CheckError[] => {
  if (!environment.strictLiterals) return [];
  const collected = collectNodes(checked.tree, environment.release >= validatesFormatsSince);
  const errors: CheckError[] = [];
  for (const list of collected.lists) errors.push(...mixedListErrors(list, checked));
  for (const map of collected.maps) errors.push(...mixedMapErrors(map, checked));
  for (const name of ['duration', 'timestamp', 'matches']) {
    for (const call of collected.calls) {
      if (call.function === name) errors.push(...constantArgumentErrors(call, environment));
    }
  }
  if (environment.release < validatesFormatsSince) return errors;
  for (const call of collected.calls) errors.push(...formatErrors(call, checked));
  return errors;
};

/**
 * First release that validates format strings and allows mixed types anywhere in their arguments.
 */
const validatesFormatsSince: Release = 31;

interface CollectedNodes {
  readonly calls: readonly CallNode[];
  /** Lists outside of `format` calls, whose arguments may have mixed types. */
  readonly lists: readonly ListNode[];
  readonly maps: readonly MapNode[];
}

const collectNodes = (tree: CelNode, exemptsFormats: boolean): CollectedNodes => {
  const calls: CallNode[] = [];
  const lists: ListNode[] = [];
  const maps: MapNode[] = [];
  const walk = (node: CelNode, inFormat: boolean): void => {
    if (node.kind === 'call') calls.push(node);
    if (!inFormat && node.kind === 'list') lists.push(node);
    if (!inFormat && node.kind === 'map') maps.push(node);
    const isFormat = node.kind === 'call' && node.function === 'format';
    // Up to 1.30, only the innermost call counts.
    const within = exemptsFormats || node.kind !== 'call' ? inFormat || isFormat : isFormat;
    for (const child of childNodes(node)) walk(child, within);
  };
  walk(tree, false);
  return { calls, lists, maps };
};

/**
 * Validates the first argument if it is a constant. In `matches(text, pattern)` that is the text,
 * like in cel-go.
 */
const constantArgumentErrors = (
  call: CallNode,
  environment: CelEnvironment,
): readonly CheckError[] => {
  const argument = call.args[0];
  if (argument?.kind !== 'literal') return [];
  const isValid =
    call.function === 'matches'
      ? isPattern(argument.constant)
      : converts(call.function, argument.constant, environment);
  if (isValid) return [];
  const message = `invalid ${call.function} argument`;
  return [{ message, at: argument.at, span: argument.span }];
};

/**
 * Reports whether a constant is a valid pattern. One that is too large is valid here: the planner
 * rejects it with its own message.
 */
const isPattern = (constant: Constant): boolean => {
  if (constant.kind !== 'string') return true;
  const regex = compileRegex(constant.value);
  return !(regex instanceof CelError) || regex === costLimitExceeded;
};

const converts = (name: string, constant: Constant, environment: CelEnvironment): boolean => {
  // A null has a valid type, because times may be null, but it cannot be converted.
  if (constant.kind === 'null') return false;
  const value = convertibleValue(constant);
  const overload = environment.functions
    .get(name)
    ?.overloads.find(({ declaration }) => declaration.params[0]?.kind === constant.kind);
  if (value === undefined || overload === undefined) return true;
  return succeeds(overload, [value]);
};

const succeeds = ({ declaration }: CallableOverload, args: readonly CelValue[]): boolean =>
  !(declaration.evaluate(args) instanceof CelError);

const convertibleValue = (constant: Constant): CelValue | undefined =>
  constant.kind === 'string' || constant.kind === 'int' ? constant.value : undefined;

const mixedListErrors = (list: ListNode, checked: CheckedExpression): readonly CheckError[] => {
  const optional = new Set(list.optionalIndices);
  let first: CelType | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = unwrappedType(typeOf(element, checked), optional.has(index));
    if (type === undefined) throw new ValidatorPanicError(element.span);
    if (first === undefined || first.kind === 'unset') first = type;
    else if (!isEquivalentType(first, type)) return [typeMismatch(element, first, type)];
  }
  return [];
};

const mixedMapErrors = (map: MapNode, checked: CheckedExpression): readonly CheckError[] => {
  const errors: CheckError[] = [];
  let keyType: CelType | undefined;
  let valueType: CelType | undefined;
  for (const { key, value, optional } of map.entries) {
    const foundKey = typeOf(key, checked);
    const foundValue = unwrappedType(typeOf(value, checked), optional);
    if (foundValue === undefined) throw new ValidatorPanicError(value.span);
    keyType ??= foundKey;
    valueType ??= foundValue;
    if (!isEquivalentType(keyType, foundKey)) errors.push(typeMismatch(key, keyType, foundKey));
    if (!isEquivalentType(valueType, foundValue)) {
      errors.push(typeMismatch(value, valueType, foundValue));
    }
  }
  return errors;
};

/**
 * Returns the type that an entry adds to its list or map; `undefined` for `?` before a dynamic
 * value.
 */
const unwrappedType = (type: CelType, isOptional: boolean): CelType | undefined => {
  if (!isOptional) return type;
  return type.kind === 'optional' ? type.value : undefined;
};

const formatErrors = (call: CallNode, checked: CheckedExpression): readonly CheckError[] => {
  if (call.function !== 'format' || call.target === undefined || call.args.length !== 1) return [];
  const { target } = call;
  const list = call.args[0];
  if (target.kind !== 'literal' || target.constant.kind !== 'string') return [];
  if (list?.kind !== 'list') return [];
  const overloads = checked.references.get(call.id)?.overloads ?? [];
  if (overloads.length > 0 && !overloads.includes('string_format')) return [];
  const error = formatStringError(target.constant.value, list.elements, (node) =>
    typeOf(node, checked),
  );
  if (error === undefined) return [];
  const place = error.node ?? call;
  const span = error.node === undefined ? target.span : error.node.span;
  return [{ message: error.message, at: place.at, span }];
};

const typeOf = (node: CelNode, checked: CheckedExpression): CelType =>
  checked.types.get(node.id) ?? errorType;
