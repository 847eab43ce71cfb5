/**
 * `"sub" in claims`, `size(claims)`, `claims == {}` and iterating over `claims` compile and fail for
 * every token, or see values in a random order: only members of `claims` can be used.
 */
import type { CelNode } from '../cel/ast.ts';
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { editExpression, expressionUses, spanInFile, textOf } from './expression-uses.ts';
import { isWholeClaims, walk } from './walk.ts';

interface Args {
  readonly text: string;
}

export const wholeClaims = defineRule<Compilation, Args>({
  code: 'AG4002',
  name: 'whole-claims',
  severity: 'warning',
  source: 'lint',
  summary: 'Using claims as a whole fails for every token.',
  message: ({ text }) => `${text} fails for every token: claims can only be read member by member`,
  help: () => 'Ask for one claim with has(claims.name), or read it with claims.?name.',
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      walk(use.compilation.checked.tree, (node) => {
        if (!usesWhole(node)) return;
        const member =
          node.kind === 'call' && node.function === '@in' ? memberName(node) : undefined;
        report(
          spanInFile(use, node.span),
          { text: textOf(use, node.span) },
          member === undefined
            ? {}
            : {
                fixes: [
                  {
                    title: `Use has(claims.${member})`,
                    edits: [editExpression(compilation, use, node.span, `has(claims.${member})`)],
                  },
                ],
              },
        );
      });
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

/** The claim asked for, where it can stand behind a dot. */
const memberName = (node: Extract<CelNode, { kind: 'call' }>): string | undefined => {
  const [key] = node.args;
  if (key?.kind !== 'literal' || key.constant.kind !== 'string') return undefined;
  return /^[A-Za-z_]\w*$/.test(key.constant.value) ? key.constant.value : undefined;
};
