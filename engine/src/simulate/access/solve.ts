/**
 * Finds claims that meet all conditions. Claims that no condition reads together are independent of each other, so
 * each group is solved alone.
 */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { Condition, Solution } from './condition.ts';
import { type TryOptions, tryClaims } from './try-claims.ts';

/** Solves conditions; the group of `focus`, which is most likely to have no solution, comes first. */
export function* solve(
  conditions: readonly Condition[],
  focus: Condition | undefined,
  options: TryOptions,
): ResumableWork<Solution> {
  let claims: JsonObject = {};
  let firstUndecided: Solution | undefined;
  for (const group of groupsOf(focus === undefined ? conditions : [focus, ...conditions])) {
    const solution = yield* tryClaims(group, options);
    if (solution.kind === 'none') return solution;
    if (solution.kind === 'found') claims = { ...claims, ...solution.claims };
    else {
      firstUndecided ??= solution;
      // Another group can still show that there are no such claims.
    }
  }
  return firstUndecided ?? { kind: 'found', claims };
}

/** Returns the conditions in groups that have no claims in common; the first condition's group first. */
const groupsOf = (conditions: readonly Condition[]): readonly (readonly Condition[])[] => {
  const waiting = [...conditions];
  const groups: Condition[][] = [];
  for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
    const group = [first];
    for (const member of group) {
      for (const other of waiting.filter((candidate) => areConnected(member, candidate))) {
        group.push(other);
        waiting.splice(waiting.indexOf(other), 1);
      }
    }
    groups.push(group);
  }
  return groups;
};

const areConnected = (a: Condition, b: Condition): boolean =>
  a.readsAllClaims || b.readsAllClaims || [...a.roots].some((root) => b.roots.has(root));
