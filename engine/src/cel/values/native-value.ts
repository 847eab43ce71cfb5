/**
 * What the real server finds where it looks into a value without asking for its type first: an
 * optional shows what it holds, a type its name. Searches and mappings look so.
 */
import { CelOptional, CelTypeValue, type CelValue } from './value.ts';

/** `undefined` for what holds no text. */
export const nativeText = (value: CelValue | undefined): string | undefined => {
  const inside = insideOf(value);
  return typeof inside === 'string' ? inside : undefined;
};

/** `undefined` for what holds no int. */
export const nativeInt = (value: CelValue | undefined): bigint | undefined => {
  const inside = insideOf(value);
  return typeof inside === 'bigint' ? inside : undefined;
};

const insideOf = (value: CelValue | undefined): CelValue | undefined => {
  if (value instanceof CelTypeValue) return value.name;
  return value instanceof CelOptional ? insideOf(value.value) : value;
};
