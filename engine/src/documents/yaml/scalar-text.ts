/** Strings as YAML scalars: which can be plain, and how others are quoted. */
import { hasInvisibleCharacters } from '../../diagnostics/printable.ts';
import { readScalar } from './yaml-scalar.ts';

/**
 * Returns true if the string, written without quotes, is read as the same string; `flow` applies
 * inside brackets. It is stricter than YAML, because quotes do no harm.
 */
export const canBePlainScalar = (text: string, { flow }: { readonly flow: boolean }): boolean =>
  /^[\w./(]/.test(text) &&
  !/:(?: |$)| #| $/.test(text) &&
  !(flow && /[,?[\]{}]/.test(text)) &&
  !hasInvisibleCharacters(text) &&
  resolvesToString(text);

/**
 * Returns false for strings that YAML resolves to another type, and for dates and times, which
 * other readers do.
 */
const resolvesToString = (text: string): boolean => {
  if (/^[\d.][\d.:_eE+-]*$/.test(text)) return false;
  const reading = readScalar(text, '');
  return reading.ok && reading.value.kind === 'string';
};

/**
 * Quotes a string without line breaks and invisible characters in single quotes, which have no
 * escapes.
 */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
