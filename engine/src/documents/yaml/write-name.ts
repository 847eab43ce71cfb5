/** Replaces a name in a file and keeps its style if possible. */
import { escapeInvisible, hasInvisibleCharacters } from '../../diagnostics/printable.ts';
import type { Span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { canBePlainScalar, singleQuote } from './scalar-text.ts';

/**
 * Replaces a key or a short string including its quotes. Returns `undefined` for an alias, a tag or
 * a block.
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

/** Names with other characters could be plain, too, but are easier to read in quotes. */
const plainName = /^[A-Za-z_][\w ./@+-]*$/;

const doubleQuoted = (name: string): string => escapeInvisible(JSON.stringify(name));
