/** Removes what an example does not need, claims, elements of lists and members of objects, and fills what is empty. */
import type { JsonObject, JsonValue } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';

/**
 * Returns the smallest claims that were found to show the same change, with names in place of empty
 * strings and nulls. It uses at most as many evaluations as the budget allows.
 */
export function* minimizeClaims(
  claims: JsonObject,
  showsChange: (claims: JsonObject) => boolean,
  budget: EvaluationBudget,
): ResumableWork<JsonObject> {
  const smallest = yield* improve(claims, smallerObjects, showsChange, budget);
  return yield* improve(smallest, filledObjects, showsChange, budget);
}

/** Replaces the claims by the first candidate that shows the change, until there is none. */
function* improve(
  claims: JsonObject,
  candidatesOf: (claims: JsonObject) => Iterable<JsonObject>,
  showsChange: (claims: JsonObject) => boolean,
  budget: EvaluationBudget,
): ResumableWork<JsonObject> {
  let best = claims;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const candidate of candidatesOf(best)) {
      if (!budget.spend()) return best;
      if (budget.endStep()) yield;
      if (!showsChange(candidate)) continue;
      best = candidate;
      isBetter = true;
      break;
    }
  }
  return best;
}

/** Returns objects with one member or one part of a member less. */
function* smallerObjects(value: JsonObject): Generator<JsonObject> {
  const entries = Object.entries(value);
  for (const [index, [name, member]] of entries.entries()) {
    yield Object.fromEntries(entries.toSpliced(index, 1));
    for (const smaller of smallerValues(member)) yield { ...value, [name]: smaller };
  }
}

function* smallerValues(value: JsonValue): Generator<JsonValue> {
  if (Array.isArray(value)) {
    const list: readonly JsonValue[] = value;
    for (const index of list.keys()) yield list.toSpliced(index, 1);
  } else if (typeof value === 'object' && value !== null) {
    yield* smallerObjects(value as JsonObject);
  }
}

/** Returns objects in which one empty string or null is a name instead, which a reader recognizes. */
function* filledObjects(value: JsonObject): Generator<JsonObject> {
  for (const [name, member] of Object.entries(value)) {
    for (const filled of filledValues(member, 'jane')) yield { ...value, [name]: filled };
  }
}

function* filledValues(value: JsonValue, example: string): Generator<JsonValue> {
  if (value === null || value === '') yield example;
  else if (Array.isArray(value)) {
    const list: readonly JsonValue[] = value;
    for (const [index, item] of list.entries()) {
      for (const filled of filledValues(item, 'team')) yield list.with(index, filled);
    }
  } else if (typeof value === 'object') yield* filledObjects(value as JsonObject);
}
