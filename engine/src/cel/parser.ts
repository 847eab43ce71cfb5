/**
 * Text -> tree and errors. Good text takes the one way through chevrotain; only text that turned out
 * to be wrong is read again to find out what the reference implementation says about it.
 */
import type { Release } from '../model/release.ts';
import type { CelNode, ParsedExpression } from './ast.ts';
import { TreeReader } from './build-tree.ts';
import { readConcreteSyntax } from './grammar.ts';
import type { MacroSet } from './macros.ts';
import { TreeBuilder } from './tree-builder.ts';

export interface ParseOptions {
  readonly release: Release;
  readonly macros: MacroSet;
}

/** Reads one expression. There is always a tree; `errors` is empty exactly when the text is good. */
export const parseCel = (text: string, options: ParseOptions): ParsedExpression => {
  const syntax = readConcreteSyntax(text);
  const builder = new TreeBuilder(text, options);
  const reader = new TreeReader(builder);
  const tree: CelNode = reader.expression(syntax.root);
  const errors = builder.errors;
  if ((syntax.broken || reader.faulty) && errors.length === 0) {
    errors.push({
      message: 'Syntax error: not understood',
      at: 0,
      span: { start: 0, end: text.length },
    });
  }
  return { text, tree, macroCalls: builder.macroCalls, errors };
};
