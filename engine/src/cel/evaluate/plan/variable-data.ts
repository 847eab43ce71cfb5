/**
 * Checks whether a value is part of the variable's data, where the planner cannot decide because one
 * of several branches may have returned it.
 */
import { type CelValue, isList, isRecord, type JsonRecord } from '../../values/value.ts';

type Container = JsonRecord | readonly CelValue[];

/** Checks whether a list or record is the data itself or, by identity, a part of it. */
export const isPartOf = (data: JsonRecord, sought: CelValue): boolean => {
  if (!isContainer(sought)) return false;
  for (const part of containersIn(data)) {
    if (part === sought) return true;
  }
  return false;
};

/** Creates a check for many values of the same variable. */
export const isPartOfData = (data: JsonRecord): ((value: CelValue) => boolean) => {
  const parts = new Set<CelValue>(containersIn(data));
  return (value) => parts.has(value);
};

function* containersIn(data: JsonRecord): Generator<Container> {
  const pending: Container[] = [data];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part;
    for (const inside of isList(part) ? part : Object.values(part)) {
      if (isContainer(inside)) pending.push(inside);
    }
  }
}

const isContainer = (value: CelValue | undefined): value is Container =>
  value !== undefined && (isList(value) || isRecord(value));
