/** Converts JSON claims and values of expressions to the strings of a user. */
import { CelOptional, CelTypeValue, type CelValue, StringList } from '../../cel/values/value.ts';
import type { JsonValue } from '../../formats/json-with-shape.ts';

/**
 * Returns the groups of a claim, each with the prefix: a string is one group, null is none, and a
 * null item is the empty string.
 */
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
 * Returns the strings of a value for groups and extra: a string or a list of strings. Empty strings
 * are left out and null is an empty list. `undefined` for any other value and for a list that is a
 * native Go list in kube-apiserver.
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

/** Returns the string that kube-apiserver converts a list item to; for a type that is its name. */
const nativeString = (item: CelValue | undefined): string | undefined => {
  if (item instanceof CelTypeValue) return item.name;
  if (item instanceof CelOptional) return nativeString(item.value);
  return typeof item === 'string' ? item : undefined;
};
