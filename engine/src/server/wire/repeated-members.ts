/** Members of objects that come more than once, as the real decoder tells of them. */
import { goQuote } from '../../formats/go-quote.ts';
import type { JsonValue } from './json-value.ts';

/** `duplicate field "metadata.labels.a"`: in their order, each once. */
export const repeatedMembers = (value: JsonValue): readonly string[] => {
  const told = new Set<string>();
  tellRepeated(value, '', told);
  return [...told];
};

const tellRepeated = (value: JsonValue, place: string, told: Set<string>): void => {
  if (value.kind === 'array') {
    for (const [index, item] of value.items.entries()) {
      tellRepeated(item, `${place}[${index}]`, told);
    }
  }
  if (value.kind !== 'object') return;
  const seen = new Set<string>();
  for (const { name, value: member } of value.members) {
    const path = place === '' ? name : `${place}.${name}`;
    if (seen.has(name)) told.add(`duplicate field ${goQuote(path)}`);
    seen.add(name);
    tellRepeated(member, path, told);
  }
};
