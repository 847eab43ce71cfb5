/** A name, written over the one that stands in a file, in its style as far as that can say it. */
import type { Span } from '../source/span.ts';
import type { TextEdit } from '../source/text-edit.ts';
import { readScalar } from './yaml-scalar.ts';

/**
 * Replaces a key or a short text, quotes included. `undefined` for what is neither plain nor in quotes:
 * an alias, a tag, a block. Plain names are stricter than YAML's: quotes harm nobody.
 */
export const writeName = (file: string, where: Span, name: string): TextEdit | undefined => {
  const first = file[where.start];
  if (first === '"') return { span: where, newText: JSON.stringify(name) };
  if (first === undefined || /[!&*|>?@`%]/.test(first)) return undefined;
  const isSingle = first === "'";
  if (/[\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/u.test(name))
    return { span: where, newText: JSON.stringify(name) };
  const isPlain = plainName.test(name) && isText(name);
  const newText = isPlain && !isSingle ? name : `'${name.replaceAll("'", "''")}'`;
  return { span: where, newText };
};

const plainName = /^[A-Za-z_][\w./@+-]*(?: [\w./@+-]+)*$/;

/** YAML reads some words as something else. */
const isText = (name: string): boolean => {
  const reading = readScalar(name, '');
  return reading.ok && reading.value.kind === 'string';
};
