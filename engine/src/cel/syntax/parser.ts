/**
 * Text -> tree and errors. Good text takes the one way through chevrotain; only text that turned out
 * to be wrong is read again to find out what the reference implementation says about it.
 */
import type { Release } from '../../model/release.ts';
import { span } from '../../source/span.ts';
import type { ParsedExpression } from '../tree/ast.ts';
import { TreeTooDeep } from '../tree/copy-node.ts';
import { TreeReader } from './build-tree.ts';
import { noPlace } from './error-text.ts';
import {
  type ConcreteSyntax,
  nestingOf,
  readRecovering,
  readStrictly,
  readTokens,
} from './grammar.ts';
import type { MacroSet } from './macros.ts';
import { maxCodePoints, readAsReference } from './syntax-errors.ts';
import { maxNodes, TreeBuilder, TreeTooLarge } from './tree-builder.ts';

export interface ParseOptions {
  readonly release: Release;
  readonly macros: MacroSet;
}

/** Reads one expression. There is always a tree; `errors` is empty exactly when the text is good. */
export const parseCel = (text: string, options: ParseOptions): ParsedExpression => {
  try {
    return parseWithinLimits(text, options);
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error;
    return refuse(text, `expression exceeds ${maxNodes} nodes`, options);
  }
};

const parseWithinLimits = (text: string, options: ParseOptions): ParsedExpression => {
  if (text.length > maxCodePoints) {
    const size = countCodePoints(text);
    if (size > maxCodePoints) {
      const limit = `size: ${size}, limit ${maxCodePoints}`;
      return refuse(text, `expression code point size exceeds limit: ${limit}`, options);
    }
  }
  const { tokens, broken } = readTokens(text);
  if (tokens.length > maxQuickNesting && nestingOf(tokens) > maxQuickNesting) {
    return readSlowly(text, options, undefined);
  }
  const syntax = readStrictly(tokens);
  if (broken || syntax.broken) {
    if (tokens.length > maxRecoveringTokens) return readSlowly(text, options, undefined);
    return readSlowly(text, options, treeOf(text, readRecovering(tokens), options));
  }
  const quick = treeOf(text, syntax, options);
  if (quick === undefined || quick.height >= maxCertainHeight || quick.faulty) {
    return readSlowly(text, options, quick);
  }
  return { text, tree: quick.tree, macroCalls: quick.macroCalls, errors: [] };
};

/** A tree, and how far it can be trusted. */
interface QuickTree extends Pick<ParsedExpression, 'tree' | 'macroCalls'> {
  readonly height: number;
  readonly faulty: boolean;
}

/** `undefined` for a tree so high that it cannot be good. */
const treeOf = (
  text: string,
  syntax: ConcreteSyntax,
  options: ParseOptions,
): QuickTree | undefined => {
  const builder = new TreeBuilder(text, options);
  const reader = new TreeReader(builder);
  try {
    const tree = reader.expression(syntax.root);
    const faulty = reader.faulty || builder.errors.length > 0;
    return { tree, macroCalls: builder.macroCalls, height: reader.height, faulty };
  } catch (error) {
    if (error instanceof TreeTooDeep) return undefined;
    throw error;
  }
};

/** What nests deeper than this is left to the slow reading, which needs no stack to speak of. */
export const maxQuickNesting = 60;

/** Recovery from errors is for what a person is writing; longer broken text gets the slow reading's tree. */
const maxRecoveringTokens = 500;

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
  const { tree, macroCalls } = quick ?? {
    tree: exact ?? builder.hole(whole),
    macroCalls: builder.macroCalls,
  };
  return { text, tree, macroCalls, errors: builder.errors };
};

/** One error without a place, and one hole for the whole text. */
const refuse = (text: string, message: string, options: ParseOptions): ParsedExpression => {
  const whole = span(0, text.length);
  const tree = new TreeBuilder('', options).hole(whole);
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
