/**
 * What the real server finds where it looks into a value without asking for its type first: an
 * optional shows what it holds, a type its name. Searches and mappings look so.
 */
import { CelOptional, CelTypeValue, type CelValue } from './value.ts';

/** `undefined` for what holds no text. */
export const nativeString = (value: CelValue | undefined): string | undefined => {
  const inside = unwrapNative(value);
  return typeof inside === 'string' ? inside : undefined;
};

/** `undefined` for what holds no int. */
export const nativeInt = (value: CelValue | undefined): bigint | undefined => {
  const inside = unwrapNative(value);
  return typeof inside === 'bigint' ? inside : undefined;
};

const unwrapNative = (value: CelValue | undefined): CelValue | undefined => {
  if (value instanceof CelTypeValue) return value.name;
  return value instanceof CelOptional ? unwrapNative(value.value) : value;
};
