/**
 * Specialized steps of common chains: a variable and constant names. They add their units as one
 * sum, so a run that must stop at an exact unit uses the general steps.
 */
import { readCost } from '../../../cost/cost.ts';
import { unescapeName } from '../../../tree/field-name.ts';
import {
  CelError,
  CelObject,
  CelOptional,
  type CelResult,
  type CelValue,
  type JsonRecord,
  none,
} from '../../../values/value.ts';
import type { Attribute, Qualifier } from '../chain.ts';
import { lookUp, missingKeyError } from '../qualify.ts';
import type { Run, Step } from '../run.ts';

/** Evaluates a chain; returns `undefined` if an optional chain ends at a missing key. */
export type FindStep = (run: Run) => CelResult | undefined;

/** Returns a step for the chain and its own unit, or `undefined` if it cannot be specialized. */
export const specializeAttribute = (attribute: Attribute): Step | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined) return specializeLocal(attribute);
  if (chain.testOnly) return testStep(chain);
  if (chain.optionalFrom < chain.names.length) return optionalStep(chain);
  return selectStep(chain, readCost);
};

/** Returns a step for the chain without its own unit, for branches and keys. */
export const specializeResolve = (attribute: Attribute): Step | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined || chain.testOnly || chain.optionalFrom < chain.names.length) {
    return undefined;
  }
  return selectStep(chain, 0);
};

/** Returns a step for an optional chain and its own unit that does not create an optional value. */
export const specializeOptional = (attribute: Attribute): FindStep | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined || chain.testOnly || chain.optionalFrom >= chain.names.length) {
    return undefined;
  }
  return findStep(chain);
};

/** Specializes a variable of a comprehension that always has a value. */
const specializeLocal = (attribute: Attribute): Step | undefined => {
  if (attribute.kind !== 'plain' || attribute.qualifiers.length > 0) return undefined;
  const { source } = attribute;
  if (typeof source !== 'number') return undefined;
  return (run) => {
    run.cost += readCost;
    return run.locals[source] ?? null;
  };
};

interface Chain {
  readonly names: readonly string[];
  /** The index of the first optional selection, or the number of names if there is none. */
  readonly optionalFrom: number;
  readonly testOnly: boolean;
}

const variables: ReadonlySet<string> = new Set(['claims', 'user']);

/** Reads a chain of names from a variable. Names of `Object.prototype` are excluded. */
const readChain = (attribute: Attribute): Chain | undefined => {
  if (attribute.kind !== 'plain' || attribute.qualifiers.length === 0) return undefined;
  const { source, qualifiers } = attribute;
  if (typeof source !== 'string' || !variables.has(source)) return undefined;
  const names: string[] = [];
  for (const qualifier of qualifiers) {
    const name = plainName(qualifier);
    if (name === undefined) return undefined;
    names.push(name);
  }
  const optional = qualifiers.findIndex((qualifier) => qualifier.optional);
  const testOnly = qualifiers.at(-1)?.testOnly ?? false;
  if (testOnly && optional >= 0) return undefined;
  return { names, optionalFrom: optional < 0 ? names.length : optional, testOnly };
};

const plainName = ({ key, raw }: Qualifier): string | undefined => {
  if (!('constant' in key) || typeof key.constant !== 'string' || raw) return undefined;
  const name = unescapeName(key.constant);
  return name === key.constant && !(name in Object.prototype) ? name : undefined;
};

const noSuchKey = (name: string): CelError => new CelError(`no such key: ${name}`);

const selectStep = ({ names }: Chain, own: number): Step => {
  const [first = '', second] = names;
  const absent = noSuchKey(first);
  const units = readCost + own;
  if (second === undefined) {
    return (run) => {
      run.cost += units;
      const value = run.record[first];
      return value === undefined ? absent : value;
    };
  }
  const rest = names.slice(1);
  return (run) => {
    run.cost += units;
    let value: CelResult = run.record[first] ?? null;
    if (value === null && run.record[first] === undefined) return absent;
    for (const name of rest) {
      run.cost += readCost;
      const next: CelResult | undefined = memberOf(value, name);
      if (next === undefined) return missingKeyError(value, name);
      if (next instanceof CelError) return next;
      value = next;
    }
    return value;
  };
};

const testStep = ({ names }: Chain): Step => {
  const [first = '', second] = names;
  if (second === undefined) {
    return (run) => {
      run.cost += readCost;
      const value: CelResult | undefined = run.record[first];
      // A claim that could not be decoded is an error even for `has`.
      return value instanceof CelError ? value : value !== undefined;
    };
  }
  const operand = selectStep(
    { names: names.slice(0, -1), optionalFrom: names.length, testOnly: false },
    0,
  );
  const last = names.at(-1) ?? '';
  return (run) => {
    const value = operand(run);
    if (value instanceof CelError) return value;
    run.cost += readCost;
    const member = memberOf(value, last);
    return member instanceof CelError ? member : member !== undefined;
  };
};

const optionalStep = (chain: Chain): Step => {
  const find = findStep(chain);
  return (run) => {
    const member = find(run);
    if (member === undefined) return none;
    return member instanceof CelError ? member : new CelOptional(member);
  };
};

const findStep = ({ names, optionalFrom }: Chain): FindStep => {
  const [first = ''] = names;
  if (names.length === 1) {
    return (run) => {
      const value = run.record[first];
      run.cost += value === undefined ? readCost : 2 * readCost;
      return value;
    };
  }
  return (run) => {
    run.cost += readCost;
    let value: CelValue | undefined;
    for (const [index, name] of names.entries()) {
      const next: CelResult | undefined =
        value === undefined ? run.record[name] : memberOf(value, name);
      if (next === undefined && index >= optionalFrom) return undefined;
      if (next instanceof CelError && index >= optionalFrom) return next;
      run.cost += readCost;
      if (next === undefined)
        return value === undefined ? noSuchKey(name) : missingKeyError(value, name);
      if (next instanceof CelError) return next;
      value = next;
    }
    return value;
  };
};

/** Returns a member of JSON data; other values use the general look-up. */
const memberOf = (value: CelValue, name: string): CelResult | undefined =>
  isJsonRecord(value) ? value[name] : lookUp(value, name, false);

const isJsonRecord = (value: CelValue): value is JsonRecord =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof CelObject);
