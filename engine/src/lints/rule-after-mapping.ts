/**
 * Mappings run before claim validation rules: a rule that checks for a claim does not protect a
 * mapping that reads it; the mapping fails first, with its own message.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { defineLint } from './parts/define-lint.ts';
import { isClaims } from './parts/expression-nodes.ts';
import { type ExpressionUse, expressionUses, spanInFile } from './parts/expression-uses.ts';

interface Args {
  readonly claim: string;
}

export const ruleAfterMapping = defineLint<Args>({
  code: 'AG4009',
  name: 'rule-after-mapping',
  severity: 'information',
  summary: 'A rule checks a claim only after a mapping has read it.',
  message: ({ claim }) =>
    `mappings run before this rule: without claims.${claim} the mapping fails first, and this rule is never evaluated`,
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
  const tested = nodesOf(rule.compilation.checked.tree).flatMap((node) =>
    node.kind === 'select' && node.testOnly && isClaims(node.operand)
      ? [[node.field, node.span] as const]
      : [],
  );
  return new Map(tested);
};

const readsUnguarded = (use: ExpressionUse, claim: string): boolean => {
  const guards = nodesOf(use.compilation.checked.tree).flatMap((node) =>
    node.kind === 'select' && node.field === claim && isClaims(node.operand) ? node.testOnly : [],
  );
  return guards.length > 0 && !guards.includes(true);
};
