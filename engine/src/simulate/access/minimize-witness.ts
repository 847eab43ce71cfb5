/** Removes what an example does not need: claims, elements of lists and members of objects. */
import type { JsonObject, JsonValue } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';

/**
 * Returns the smallest claims that were found to show the same change, with at most as many
 * evaluations as the budget allows.
 */
export function* minimizeClaims(
  claims: JsonObject,
  showsChange: (claims: JsonObject) => boolean,
  budget: EvaluationBudget,
): ResumableWork<JsonObject> {
  let smallest = claims;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerObjects(smallest)) {
      if (!budget.spend()) return smallest;
      if (budget.endStep()) yield;
      if (!showsChange(candidate)) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
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
