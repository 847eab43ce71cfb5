/**
 * Text -> tree and errors. Good text takes the one way through chevrotain; only text that turned out
 * to be wrong is read again to find out what the reference implementation says about it.
 */
import type { Release } from '../model/release.ts';
import { span } from '../source/span.ts';
import type { ParsedExpression } from './ast.ts';
import { TreeReader } from './build-tree.ts';
import { noPlace } from './error-text.ts';
import { nestingOf, readConcreteSyntax, readTokens } from './grammar.ts';
import type { MacroSet } from './macros.ts';
import { maxCodePoints, readAsReference } from './syntax-errors.ts';
import { TreeBuilder } from './tree-builder.ts';

export interface ParseOptions {
  readonly release: Release;
  readonly macros: MacroSet;
}

/** Reads one expression. There is always a tree; `errors` is empty exactly when the text is good. */
export const parseCel = (text: string, options: ParseOptions): ParsedExpression => {
  if (text.length > maxCodePoints) {
    const size = countCodePoints(text);
    if (size > maxCodePoints) return tooLong(text, size, options);
  }
  const { tokens, broken } = readTokens(text);
  if (nestingOf(tokens) > maxNesting) return readSlowly(text, options, undefined);
  const syntax = readConcreteSyntax(tokens);
  const builder = new TreeBuilder(text, options);
  const reader = new TreeReader(builder);
  const tree = reader.expression(syntax.root);
  const good = !broken && !syntax.broken && !reader.faulty && builder.errors.length === 0;
  if (good && reader.height < maxCertainHeight) {
    return { text, tree, macroCalls: builder.macroCalls, errors: [] };
  }
  return readSlowly(text, options, { tree, macroCalls: builder.macroCalls });
};

/** Deeper nesting than this is never read; the reference implementation ends at 250. */
const maxNesting = 255;

/** Below this height no limit of depth can be reached; above it, the slow reading decides. */
const maxCertainHeight = 200;

/** Reads by the reference grammar, which knows every error and every limit. */
const readSlowly = (
  text: string,
  options: ParseOptions,
  quick: Pick<ParsedExpression, 'tree' | 'macroCalls'> | undefined,
): ParsedExpression => {
  const builder = new TreeBuilder(text, options);
  const exact = readAsReference(text, builder);
  if (builder.errors.length === 0 && exact !== undefined) {
    return { text, tree: exact, macroCalls: builder.macroCalls, errors: [] };
  }
  const whole = span(0, text.length);
  const { tree, macroCalls } = quick ?? { tree: builder.hole(whole), macroCalls: [] };
  return { text, tree, macroCalls, errors: builder.errors };
};

const tooLong = (text: string, size: number, options: ParseOptions): ParsedExpression => {
  const whole = span(0, text.length);
  const tree = new TreeBuilder('', options).hole(whole);
  const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
  return { text, tree, macroCalls: [], errors: [{ message, at: noPlace, span: whole }] };
};

const countCodePoints = (text: string): number => {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
};
