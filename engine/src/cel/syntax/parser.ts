/**
 * Parses expressions. Valid expressions only go through the fast chevrotain parser; invalid ones
 * are
 * parsed a second time, by the reference parser, to report exactly the errors of cel-go.
 */
import type { Release } from '../../model/release.ts';
import { span } from '../../source/span.ts';
import type { ParsedExpression } from '../tree/ast.ts';
import { codePointCount } from '../tree/code-points.ts';
import { TreeTooDeepError } from '../tree/copy-node.ts';
import { TreeReader } from './build-tree.ts';
import { noLocation } from './error-text.ts';
import {
  type ConcreteSyntax,
  nestingDepth,
  parseStrictly,
  parseWithRecovery,
  tokenize,
} from './grammar.ts';
import type { MacroTable } from './macros.ts';
import { maxCodePoints, parseAsReference } from './parse-as-reference.ts';
import { maxNodes, TreeBuilder, TreeTooLargeError } from './tree-builder.ts';

export interface ParseOptions {
  readonly release: Release;
  /** The macros; by default those of the authentication environments. */
  readonly macros?: MacroTable;
}

/**
 * Parses an expression. The result always has a tree; `errors` is empty if and only if the
 * expression is valid.
 */
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
    const size = codePointCount(text);
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

/** The tree of the fast parser, and whether the expression may be invalid. */
interface FastPathTree extends Pick<ParsedExpression, 'tree' | 'macroCalls'> {
  readonly height: number;
  readonly faulty: boolean;
}

/** Builds the tree of a concrete syntax tree; `undefined` if it is deeper than any valid one. */
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

/**
 * Maximum nesting for the recursive chevrotain parser; the reference parser, which needs almost no
 * stack, handles the rest.
 */
export const maxFastPathNesting = 60;

/**
 * Maximum number of tokens for error recovery, which serves an author in the editor. Longer invalid
 * expressions get the tree of the reference parser.
 */
const maxRecoveringTokens = 500;

/** Below this height no depth limit can be exceeded; from it on, the reference parser decides. */
const maxFastPathHeight = 200;

/** Parses with the reference parser, which reports all errors and limits of cel-go. */
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

/** Returns a single hole and an error without a location. */
const limitError = (text: string, message: string, options: ParseOptions): ParsedExpression => {
  const whole = span(0, text.length);
  const tree = new TreeBuilder('', options).hole(whole);
  return { text, tree, macroCalls: [], errors: [{ message, at: noLocation, span: whole }] };
};
