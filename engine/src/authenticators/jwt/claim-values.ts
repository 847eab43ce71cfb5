/** JSON claims and values of expressions as the texts that a user is made of. */
import { CelOptional, CelTypeValue, type CelValue, StringList } from '../../cel/values/value.ts';
import type { JsonValue } from '../../formats/json-with-shape.ts';

/** Text is one group, null is none; a null item is the empty text. The prefix stands before each. */
export const stringOrList = (value: JsonValue, prefix: string): readonly string[] | undefined => {
  if (typeof value === 'string') return [prefix + value];
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const names: string[] = [];
  for (const item of value) {
    if (item !== null && typeof item !== 'string') return undefined;
    names.push(prefix + (item ?? ''));
  }
  return names;
};

/**
 * The texts of a value for groups and extra: one text, or the texts of a list; empty ones are left
 * out, null is none. `undefined` for anything else, and for a list that is native to the real server.
 */
export const stringList = (value: CelValue): readonly string[] | undefined => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (value === null) return [];
  if (!Array.isArray(value) || value instanceof StringList) return undefined;
  const strings: string[] = [];
  for (const item of value) {
    const text = typeof item === 'string' ? item : nativeString(item);
    if (text === undefined) return undefined;
    if (text !== '') strings.push(text);
  }
  return strings;
};

/** What the real server finds as text inside of an item: that of a type is its name. */
const nativeString = (item: CelValue | undefined): string | undefined => {
  if (item instanceof CelTypeValue) return item.name;
  if (item instanceof CelOptional) return nativeString(item.value);
  return typeof item === 'string' ? item : undefined;
};
