/** Checks values that go-jose decodes without a type. */
import { goTypeError } from '../formats/go-json.ts';
import type { PlainMember, PlainValue } from '../formats/json-with-positions.ts';

/** Returns the error in a value: a duplicate member, or a number beyond the range of a double. */
export const untypedProblem = (value: PlainValue): string | undefined => {
  let huge: string | undefined;
  const waiting: PlainValue[] = [value];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'object') {
      const repeated = repeatedProblem(node.members);
      if (repeated !== undefined) return repeated;
      for (const member of node.members.toReversed()) waiting.push(member.value);
    } else if (node.kind === 'array') {
      for (const item of node.items.toReversed()) waiting.push(item);
    } else if (node.kind === 'number' && !Number.isFinite(Number(node.literal))) {
      huge ??= goTypeError(`number ${node.literal}`, 'float64');
    }
  }
  return huge;
};

/** Returns the error for the first repeated member. */
export const repeatedProblem = (members: readonly PlainMember[]): string | undefined => {
  const seen = new Set<string>();
  for (const { name } of members) {
    if (seen.has(name)) return `json: duplicate key '${name}' in object`;
    seen.add(name);
  }
  return undefined;
};
