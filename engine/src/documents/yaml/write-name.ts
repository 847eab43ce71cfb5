/** A name, written over the one that stands in a file, in its style as far as that can say it. */
import { escapeInvisible, hasInvisible } from '../../diagnostics/printable.ts';
import type { Span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { isPlainText, singleQuoted } from './scalar-text.ts';

/**
 * Replaces a key or a short text, quotes included. `undefined` for what is neither plain nor in quotes:
 * an alias, a tag, a block.
 */
export const writeName = (file: string, where: Span, name: string): TextEdit | undefined => {
  const first = file[where.start];
  if (first === '"') return { span: where, newText: doubleQuoted(name) };
  if (first === undefined || /[!&*|>?@`%]/.test(first)) return undefined;
  if (hasInvisible(name) || !name.isWellFormed())
    return { span: where, newText: doubleQuoted(name) };
  const isPlain = first !== "'" && usual.test(name) && isPlainText(name, { flow: true });
  return { span: where, newText: isPlain ? name : singleQuoted(name) };
};

/** Other letters may stand plainly too, but a name with them is easier to tell in quotes. */
const usual = /^[A-Za-z_][\w ./@+-]*$/;

const doubleQuoted = (name: string): string => escapeInvisible(JSON.stringify(name));
