/** Lists and objects whose elements or keys are combined from given ones. */
import type { JsonValue } from '../../formats/json-with-shape.ts';
import type { PathReads } from './claim-reads.ts';

/** The maximum number of lists that are tried at one path. */
const maxLists = 4000;

export interface ListClasses {
  readonly values: readonly JsonValue[];
  readonly gap: string | undefined;
}

/**
 * Returns lists such that every list is treated like one of them. Each statement is determined by a
 * few elements of a list, so longer lists are treated like the list of these elements.
 */
export const listsOf = (at: PathReads, items: readonly JsonValue[]): ListClasses => {
  const limit = at.countsElements ? Number.POSITIVE_INFINITY : 1;
  const { selections, isComplete } = select(
    longestOf(at),
    items.map(() => limit),
  );
  return {
    values: selections.map((kinds) => kinds.map((kind) => items[kind] ?? null)),
    gap: isComplete ? undefined : 'a list has too many kinds of elements',
  };
};

/**
 * Returns objects whose keys are seen by statements like the elements of a list. Each group has keys
 * that all statements treat alike.
 */
export const objectsOf = (at: PathReads, groups: readonly (readonly string[])[]): ListClasses => {
  const { selections, isComplete } = select(
    longestOf(at),
    groups.map((keys) => (at.countsElements ? keys.length : 1)),
  );
  return {
    values: selections.map((kinds) => objectWithKeys(keysOf(kinds, groups))),
    gap: isComplete ? undefined : 'an object has too many kinds of keys',
  };
};

/** Returns the number of elements that determine the results of all statements. */
export const longestOf = ({ statements, largestSize }: PathReads): number => {
  const weights = [...statements.values()].reduce((sum, weight) => sum + weight, 0);
  return Math.max(1, weights, largestSize + 1);
};

/** Returns a different key of its group for each selected one. */
const keysOf = (
  kinds: readonly number[],
  groups: readonly (readonly string[])[],
): readonly string[] =>
  kinds.map((kind, index) => {
    const earlier = kinds.slice(0, index).filter((other) => other === kind).length;
    return groups[kind]?.[earlier] ?? '';
  });

const objectWithKeys = (keys: readonly string[]): JsonValue =>
  Object.fromEntries(keys.map((key) => [key, 1]));

interface Selections {
  /** The selected kinds in ascending order. */
  readonly selections: readonly (readonly number[])[];
  readonly isComplete: boolean;
}

/** Selects up to `longest` elements, of each kind at most as many as its limit. */
const select = (longest: number, limits: readonly number[]): Selections => {
  const selections: (readonly number[])[] = [[]];
  let layer: readonly (readonly number[])[] = [[]];
  for (let length = 1; length <= longest; length++) {
    const longer: (readonly number[])[] = [];
    for (const selected of layer) {
      const last = selected.at(-1) ?? 0;
      for (let kind = last; kind < limits.length; kind++) {
        const count = selected.filter((other) => other === kind).length;
        if (count >= (limits[kind] ?? 0)) continue;
        if (selections.length >= maxLists) return { selections, isComplete: false };
        const extended = [...selected, kind];
        selections.push(extended);
        longer.push(extended);
      }
    }
    layer = longer;
  }
  return { selections, isComplete: true };
};
