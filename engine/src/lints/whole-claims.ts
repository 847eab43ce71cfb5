/**
 * `"sub" in claims`, `size(claims)`, `claims == {}` and iterating over `claims` compile and then
 * fail for every token, or see values in random order: only members of `claims` can be used.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Compilation } from '../compile/compile.ts';
import { unescapedQuote } from '../config/rules/edit-scalar.ts';
import { defineLint } from './parts/define-lint.ts';
import { isWholeClaims, stringLiteral } from './parts/expression-nodes.ts';
import {
  type ExpressionUse,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
} from './parts/expression-uses.ts';

interface Args {
  readonly text: string;
}

export const wholeClaims = defineLint<Args>({
  code: 'AG4002',
  name: 'whole-claims',
  summary: 'An expression uses claims as a whole and fails for every token.',
  message: ({ text }) => `${text} fails for every token: claims can only be read member by member`,
  help: () => 'Test for one claim with has(claims.name), or read it with claims.?name.',
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      for (const node of nodesOf(use.compilation.checked.tree)) {
        if (!usesWhole(node)) continue;
        const member =
          node.kind === 'call' && node.function === '@in' ? stringLiteral(node.args[0]) : undefined;
        const newText = member === undefined ? '' : presenceTest(member, compilation, use);
        const edits = newText === '' ? [] : editExpression(compilation, use, node.span, newText);
        report(
          spanInFile(use, node.span),
          { text: textOf(use, node.span) },
          {
            fixes:
              edits.length === 0 ? [] : [{ title: `Use ${newText}`, edits, changesAccess: true }],
          },
        );
      }
    }
  },
});

const usesWhole = (node: CelNode): boolean => {
  if (node.kind === 'comprehension') return isWholeClaims(node.iterRange);
  if (node.kind !== 'call') return false;
  if (node.function === '@in') return isWholeClaims(node.args[1]);
  if (node.function === 'size') return isWholeClaims(node.target ?? node.args[0]);
  if (node.function === '_==_' || node.function === '_!=_') return node.args.some(isWholeClaims);
  return false;
};

/** Returns a presence test; a name that is not an identifier is written in brackets. */
const presenceTest = (member: string, { document }: Compilation, use: ExpressionUse): string => {
  if (/^[A-Za-z_]\w*$/.test(member)) return `has(claims.${member})`;
  const quote = unescapedQuote(document.source, use.located);
  return /["'\\\n]/.test(member) ? '' : `claims[?${quote}${member}${quote}].hasValue()`;
};
