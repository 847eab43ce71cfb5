/**
 * Unwraps values as kube-apiserver does where it reads a Go value without checking its CEL type: an
 * optional gives the value it holds, a type its name. Searches and claim mappings do this.
 */
import { CelOptional, CelTypeValue, type CelValue } from './value.ts';

/** Returns the string that a value holds, or `undefined` if it holds none. */
export const nativeString = (value: CelValue | undefined): string | undefined => {
  const inside = unwrapNative(value);
  return typeof inside === 'string' ? inside : undefined;
};

/** Returns the int that a value holds, or `undefined` if it holds none. */
export const nativeInt = (value: CelValue | undefined): bigint | undefined => {
  const inside = unwrapNative(value);
  return typeof inside === 'bigint' ? inside : undefined;
};

const unwrapNative = (value: CelValue | undefined): CelValue | undefined => {
  if (value instanceof CelTypeValue) return value.name;
  return value instanceof CelOptional ? unwrapNative(value.value) : value;
};
