/**
 * Mappings run before claim validation rules: a rule that checks for a claim does not protect a
 * mapping that reads it; the mapping fails first, with its own message.
 */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { type ExpressionUse, expressionUses, spanInFile } from './parts/expression-uses.ts';
import { isClaims, walk } from './parts/walk-tree.ts';

interface Args {
  readonly claim: string;
}

export const ruleAfterMapping = defineRule<Compilation, Args>({
  code: 'AG4009',
  name: 'rule-after-mapping',
  severity: 'information',
  source: 'lint',
  summary: 'A rule checks a claim only after a mapping has read it.',
  message: ({ claim }) =>
    `mappings run before this rule: without claims.${claim} the mapping fails first, and the rule is never asked`,
  help: ({ claim }) => `Read it as claims.?${claim}.orValue(…) in the mapping, then check it here.`,
  check(compilation, report) {
    const uses = expressionUses(compilation);
    for (const rule of uses) {
      if (rule.role !== 'claim rule') continue;
      for (const [claim, node] of claimsAskedFor(rule)) {
        const mapping = uses.find(
          (use) =>
            use.authenticator === rule.authenticator &&
            !use.role.endsWith('rule') &&
            readsUnguarded(use, claim),
        );
        if (mapping === undefined) continue;
        const related = [{ span: mapping.located.span, message: `reads claims.${claim}` }];
        report(spanInFile(rule, node), { claim }, { related });
      }
    }
  },
});

const claimsAskedFor = (rule: ExpressionUse) => {
  const found = new Map<string, { start: number; end: number }>();
  walk(rule.compilation.checked.tree, (node) => {
    if (node.kind === 'select' && node.testOnly && isClaims(node.operand))
      found.set(node.field, node.span);
  });
  return found;
};

const readsUnguarded = (use: ExpressionUse, claim: string): boolean => {
  let reads = false;
  let guarded = false;
  walk(use.compilation.checked.tree, (node) => {
    if (node.kind !== 'select' || node.field !== claim || !isClaims(node.operand)) return;
    if (node.testOnly) guarded = true;
    else reads = true;
  });
  return reads && !guarded;
};
