/** Texts as YAML scalars: which may stand plainly, and how the others are quoted. */
import { hasInvisibleCharacters } from '../../diagnostics/printable.ts';
import { readScalar } from './yaml-scalar.ts';

/**
 * Is this text, written without quotes, read as that very text? `flow` inside brackets. Stricter than
 * YAML: quotes harm nobody.
 */
export const canBePlainScalar = (text: string, { flow }: { readonly flow: boolean }): boolean =>
  /^[\w./(]/.test(text) &&
  !/:(?: |$)| #| $/.test(text) &&
  !(flow && /[,?[\]{}]/.test(text)) &&
  !hasInvisibleCharacters(text) &&
  resolvesToString(text);

/** YAML reads some words as something else, and other readers dates and times. */
const resolvesToString = (text: string): boolean => {
  if (/^[\d.][\d.:_eE+-]*$/.test(text)) return false;
  const reading = readScalar(text, '');
  return reading.ok && reading.value.kind === 'string';
};

/** In the quotes that know no escapes: for a text without line breaks and invisible characters. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
