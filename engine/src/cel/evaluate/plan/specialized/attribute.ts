/**
 * Quick forms of common chains: a variable and constant names. They add their units in one sum, so a
 * run that must stop at the exact unit uses the general form.
 */
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

/** What a chain gives: `undefined` where an optional chain ends in nothing. */
export type FindStep = (run: Run) => CelResult | undefined;

/** The chain as an instruction of its own, with its own unit; `undefined` if it has no quick form. */
export const specializeAttribute = (attribute: Attribute): Step | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined) return specializeLocal(attribute);
  if (chain.testOnly) return testStep(chain);
  if (chain.optionalFrom < chain.names.length) return optionalStep(chain);
  return selectStep(chain, 1);
};

/** The chain without its own unit, for branches and keys. */
export const specializeResolve = (attribute: Attribute): Step | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined || chain.testOnly || chain.optionalFrom < chain.names.length) {
    return undefined;
  }
  return selectStep(chain, 0);
};

/** An optional chain with its own unit, before it becomes an optional value. */
export const specializeOptional = (attribute: Attribute): FindStep | undefined => {
  const chain = readChain(attribute);
  if (chain === undefined || chain.testOnly || chain.optionalFrom >= chain.names.length) {
    return undefined;
  }
  return findStep(chain);
};

/** A comprehension's own variable, which is always there. */
const specializeLocal = (attribute: Attribute): Step | undefined => {
  if (attribute.kind !== 'plain' || attribute.qualifiers.length > 0) return undefined;
  if (attribute.source.kind !== 'local') return undefined;
  const { slot } = attribute.source;
  return (run) => {
    run.cost += 1;
    return run.locals[slot] ?? null;
  };
};

interface Chain {
  readonly names: readonly string[];
  /** Index of the first optional selection; the number of names if there is none. */
  readonly optionalFrom: number;
  readonly testOnly: boolean;
}

const variables: ReadonlySet<string> = new Set(['claims', 'user']);

/** A chain from a variable by names that no prototype has. */
const readChain = (attribute: Attribute): Chain | undefined => {
  if (attribute.kind !== 'plain' || attribute.qualifiers.length === 0) return undefined;
  const { source, qualifiers } = attribute;
  if (source.kind !== 'variable' || !variables.has(source.name)) return undefined;
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

const selectStep = ({ names }: Chain, own: 0 | 1): Step => {
  const [first = '', second] = names;
  const absent = noSuchKey(first);
  const units = 1 + own;
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
      run.cost += 1;
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
      run.cost += 1;
      const value: CelResult | undefined = run.record[first];
      // A claim that nobody can read is an error even to `has`.
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
    run.cost += 1;
    const found = memberOf(value, last);
    return found instanceof CelError ? found : found !== undefined;
  };
};

const optionalStep = (chain: Chain): Step => {
  const find = findStep(chain);
  return (run) => {
    const found = find(run);
    if (found === undefined) return none;
    return found instanceof CelError ? found : new CelOptional(found);
  };
};

const findStep = ({ names, optionalFrom }: Chain): FindStep => {
  const [first = ''] = names;
  if (names.length === 1) {
    return (run) => {
      const value = run.record[first];
      run.cost += value === undefined ? 1 : 2;
      return value;
    };
  }
  return (run) => {
    run.cost += 1;
    let value: CelValue | undefined;
    for (const [index, name] of names.entries()) {
      const next: CelResult | undefined =
        value === undefined ? run.record[name] : memberOf(value, name);
      if (next === undefined && index >= optionalFrom) return undefined;
      if (next instanceof CelError && index >= optionalFrom) return next;
      run.cost += 1;
      if (next === undefined)
        return value === undefined ? noSuchKey(name) : missingKeyError(value, name);
      if (next instanceof CelError) return next;
      value = next;
    }
    return value;
  };
};

/** A member of JSON data; everything else goes the general way. */
const memberOf = (value: CelValue, name: string): CelResult | undefined =>
  isJsonRecord(value) ? value[name] : lookUp(value, name, false);

const isJsonRecord = (value: CelValue): value is JsonRecord =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof CelObject);
