/**
 * Text -> tree and errors. Good text takes the one way through chevrotain; only text that turned out
 * to be wrong is read again to find out what the reference implementation says about it.
 */
import type { Release } from '../../model/release.ts';
import { span } from '../../source/span.ts';
import type { ParsedExpression } from '../tree/ast.ts';
import { TreeTooDeepError } from '../tree/copy-node.ts';
import { TreeReader } from './build-tree.ts';
import { noLocation } from './error-text.ts';
import {
  type ConcreteSyntax,
  nestingDepth,
  parseWithRecovery,
  parseStrictly,
  tokenize,
} from './grammar.ts';
import type { MacroSet } from './macros.ts';
import { maxCodePoints, parseAsReference } from './parse-as-reference.ts';
import { maxNodes, TreeBuilder, TreeTooLargeError } from './tree-builder.ts';

export interface ParseOptions {
  readonly release: Release;
  readonly macros: MacroSet;
}

/** Reads one expression. There is always a tree; `errors` is empty exactly when the text is good. */
export const parseCel = (text: string, options: ParseOptions): ParsedExpression => {
  try {
    return parseWithinLimits(text, options);
  } catch (error) {
    if (!(error instanceof TreeTooLargeError)) throw error;
    return limitError(text, `expression exceeds ${maxNodes} nodes`, options);
  }
};

const parseWithinLimits = (text: string, options: ParseOptions): ParsedExpression => {
  if (text.length > maxCodePoints) {
    const size = countCodePoints(text);
    if (size > maxCodePoints) {
      const limit = `size: ${size}, limit ${maxCodePoints}`;
      return limitError(text, `expression code point size exceeds limit: ${limit}`, options);
    }
  }
  const { tokens, broken } = tokenize(text);
  if (tokens.length > maxFastPathNesting && nestingDepth(tokens) > maxFastPathNesting) {
    return parseWithReference(text, options, undefined);
  }
  const syntax = parseStrictly(tokens);
  if (broken || syntax.broken) {
    if (tokens.length > maxRecoveringTokens) return parseWithReference(text, options, undefined);
    return parseWithReference(text, options, buildTree(text, parseWithRecovery(tokens), options));
  }
  const fastPathTree = buildTree(text, syntax, options);
  if (
    fastPathTree === undefined ||
    fastPathTree.height >= maxFastPathHeight ||
    fastPathTree.faulty
  ) {
    return parseWithReference(text, options, fastPathTree);
  }
  return { text, tree: fastPathTree.tree, macroCalls: fastPathTree.macroCalls, errors: [] };
};

/** A tree, and how far it can be trusted. */
interface FastPathTree extends Pick<ParsedExpression, 'tree' | 'macroCalls'> {
  readonly height: number;
  readonly faulty: boolean;
}

/** `undefined` for a tree so high that it cannot be good. */
const buildTree = (
  text: string,
  syntax: ConcreteSyntax,
  options: ParseOptions,
): FastPathTree | undefined => {
  const builder = new TreeBuilder(text, options);
  const reader = new TreeReader(builder);
  try {
    const tree = reader.expression(syntax.root);
    const faulty = reader.faulty || builder.errors.length > 0;
    return { tree, macroCalls: builder.macroCalls, height: reader.height, faulty };
  } catch (error) {
    if (error instanceof TreeTooDeepError) return undefined;
    throw error;
  }
};

/** What nests deeper than this is left to the slow reading, which needs no stack to speak of. */
export const maxFastPathNesting = 60;

/** Recovery from errors is for what a person is writing; longer broken text gets the slow reading's tree. */
const maxRecoveringTokens = 500;

/** Below this height no limit of depth can be reached; above it, the slow reading decides. */
const maxFastPathHeight = 200;

/** Reads by the reference grammar, which knows every error and every limit. */
const parseWithReference = (
  text: string,
  options: ParseOptions,
  fastPathTree: Pick<ParsedExpression, 'tree' | 'macroCalls'> | undefined,
): ParsedExpression => {
  const builder = new TreeBuilder(text, options);
  const referenceTree = parseAsReference(text, builder);
  if (builder.errors.length === 0 && referenceTree !== undefined) {
    return { text, tree: referenceTree, macroCalls: builder.macroCalls, errors: [] };
  }
  const whole = span(0, text.length);
  const { tree, macroCalls } = fastPathTree ?? {
    tree: referenceTree ?? builder.hole(whole),
    macroCalls: builder.macroCalls,
  };
  return { text, tree, macroCalls, errors: builder.errors };
};

/** One error without a place, and one hole for the whole text. */
const limitError = (text: string, message: string, options: ParseOptions): ParsedExpression => {
  const whole = span(0, text.length);
  const tree = new TreeBuilder('', options).hole(whole);
  return { text, tree, macroCalls: [], errors: [{ message, at: noLocation, span: whole }] };
};

const countCodePoints = (text: string): number => {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
};
