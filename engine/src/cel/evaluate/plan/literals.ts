/** List, map and message literals, and membership in a constant list. */
import { listCreateBaseCost, mapCreateBaseCost, structCreateBaseCost } from '../../cost/cost.ts';
import { CelFormat } from '../../values/api-formats.ts';
import { equals } from '../../values/equality.ts';
import { PanicError } from '../../values/evaluation-errors.ts';
import { goTypeName } from '../../values/go-type-name.ts';
import { intFromDouble, uintFromDouble } from '../../values/int64.ts';
import { CelMap, mapKey } from '../../values/map-value.ts';
import { createMessage } from '../../values/message-value.ts';
import { printUnwrapped, printValue, printWrapped } from '../../values/print-value.ts';
import { CelSemver } from '../../values/semver-value.ts';
import {
  CelBytes,
  CelError,
  CelOptional,
  type CelResult,
  CelUint,
  type CelValue,
} from '../../values/value.ts';
import type { Run, Step } from './run.ts';
import { isUnstructured } from './unstructured.ts';
import { isPartOfData } from './variable-data.ts';

/** An element of a list literal. */
export interface ElementStep {
  readonly step: Step;
  /** Whether it is written `?x` and left out if absent. */
  readonly optional: boolean;
}

/** An entry of a map literal. */
export interface EntryStep {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

/** A field of a message literal. */
export interface FieldStep {
  readonly name: string;
  readonly value: Step;
  readonly optional: boolean;
}

/** Creates the step of a list literal, which costs its base cost even if an element fails. */
export const listStep = (elements: readonly ElementStep[]): Step => {
  return (run) => {
    const list = createList(run, elements);
    run.cost += listCreateBaseCost;
    return list;
  };
};

/** Creates the step of a map literal, which costs its base cost even if an entry fails. */
export const mapStep = (entries: readonly EntryStep[]): Step => {
  return (run) => {
    const map = createMap(run, entries);
    run.cost += mapCreateBaseCost;
    return map;
  };
};

/** Creates the step of a message literal, which costs its base cost even if a field fails. */
export const structStep =
  (typeName: string, fields: readonly FieldStep[]): Step =>
  (run) => {
    const message = createMessageValue(run, typeName, fields);
    run.cost += structCreateBaseCost;
    return message;
  };

/**
 * Creates the step of `x in [constants]` for primitive values: a look-up in a set, which costs
 * nothing. Returns `undefined` for other lists.
 */
export const membershipStep = (value: Step, list: readonly CelValue[]): Step | undefined => {
  const keys = new Set<unknown>();
  for (const element of list) {
    if (!isPrimitive(element)) return undefined;
    for (const key of [element, ...losslessEquivalents(element)]) keys.add(mapKey(key));
  }
  keys.delete(Number.NaN);
  return (run) => {
    const operand = value(run);
    return operand instanceof CelError ? operand : keys.has(mapKey(operand));
  };
};

/**
 * Prints a value that may be data of the variable. Such data is wrapped unless the variable is an
 * unstructured object.
 */
const printOperand = ({ record }: Run, value: CelValue): string =>
  printValue(value, isPartOfData(record), isUnstructured(record) ? printUnwrapped : printWrapped);

const createMessageValue = (
  run: Run,
  typeName: string,
  fields: readonly FieldStep[],
): CelResult => {
  const fieldValues = new Map<string, CelValue>();
  for (const { name, value: step, optional } of fields) {
    const value = step(run);
    if (value instanceof CelError) return value;
    if (!optional) fieldValues.set(name, value);
    else if (!(value instanceof CelOptional)) {
      return new CelError(
        `cannot initialize optional entry '${name}' from non-optional value ${printOperand(run, value)}`,
      );
    } else if (value.value === undefined) fieldValues.delete(name);
    else fieldValues.set(name, value.value);
  }
  return createMessage(typeName, [...fieldValues]);
};

const createList = (run: Run, elements: readonly ElementStep[]): CelResult => {
  const values: CelValue[] = [];
  for (const { step, optional } of elements) {
    const value = step(run);
    if (value instanceof CelError) return value;
    if (!optional) {
      values.push(value);
      continue;
    }
    if (!(value instanceof CelOptional)) {
      return new CelError(
        `cannot initialize optional list element from non-optional value ${printOperand(run, value)}`,
      );
    }
    if (value.value !== undefined) values.push(value.value);
  }
  return values;
};

const createMap = (run: Run, entries: readonly EntryStep[]): CelResult => {
  const map = new CelMap();
  for (const entry of entries) {
    const key = entry.key(run);
    if (key instanceof CelError) return key;
    const value = entry.value(run);
    if (value instanceof CelError) return value;
    if (isUnhashable(key)) throw unhashableKeyPanic(key, value);
    if (!entry.optional) {
      map.entries.set(mapKey(key), [key, value]);
      continue;
    }
    if (!(value instanceof CelOptional)) {
      return new CelError(
        `cannot initialize optional entry '${printValue(key)}' from non-optional value ${printOperand(run, value)}`,
      );
    }
    if (value.value === undefined) map.entries.delete(mapKey(key));
    else map.entries.set(mapKey(key), [key, value.value]);
  }
  return map;
};

/** Checks for keys that Go cannot hash; a map with such a key panics. */
const isUnhashable = (key: CelValue): boolean =>
  key instanceof CelBytes || key instanceof CelSemver || key instanceof CelFormat;

/**
 * Creates the panic for an unhashable key. Deleting a key panics with a different message than
 * adding one.
 */
const unhashableKeyPanic = (key: CelValue, value: CelValue): PanicError =>
  value instanceof CelOptional && value.value === undefined
    ? new PanicError(`hash of unhashable type: ${goTypeName(key)}`)
    : new PanicError(`runtime error: hash of unhashable type ${goTypeName(key)}`);

const isPrimitive = (value: CelValue): boolean =>
  value !== null &&
  (typeof value !== 'object' || value instanceof CelUint) &&
  !(value instanceof CelBytes);

/** Returns the same number in the other number types, as cel-go adds it to its set. */
const losslessEquivalents = (value: CelValue): readonly CelValue[] => {
  if (typeof value === 'number') {
    return [intFromDouble(value), uintFromDouble(value)].filter(
      (equivalent): equivalent is bigint | CelUint =>
        !(equivalent instanceof CelError) && equals(equivalent, value) === true,
    );
  }
  const whole = value instanceof CelUint ? value.value : value;
  if (typeof whole !== 'bigint') return [];
  const signed = value instanceof CelUint && whole < 2n ** 63n ? [whole] : [];
  const unsigned = !(value instanceof CelUint) && whole >= 0n ? [new CelUint(whole)] : [];
  return [Number(whole), ...signed, ...unsigned];
};
