/** A name, written over the one that stands in a file, in its style as far as that can say it. */
import { escapeInvisible, hasInvisibleCharacters } from '../../diagnostics/printable.ts';
import type { Span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { canBePlainScalar, singleQuote } from './scalar-text.ts';

/**
 * Replaces a key or a short text, quotes included. `undefined` for what is neither plain nor in quotes:
 * an alias, a tag, a block.
 */
export const writeName = (file: string, target: Span, name: string): TextEdit | undefined => {
  const first = file[target.start];
  if (first === '"') return { span: target, newText: doubleQuoted(name) };
  if (first === undefined || /[!&*|>?@`%]/.test(first)) return undefined;
  if (hasInvisibleCharacters(name) || !name.isWellFormed())
    return { span: target, newText: doubleQuoted(name) };
  const isPlain = first !== "'" && plainName.test(name) && canBePlainScalar(name, { flow: true });
  return { span: target, newText: isPlain ? name : singleQuote(name) };
};

/** Other letters may stand plainly too, but a name with them is easier to tell in quotes. */
const plainName = /^[A-Za-z_][\w ./@+-]*$/;

const doubleQuoted = (name: string): string => escapeInvisible(JSON.stringify(name));
