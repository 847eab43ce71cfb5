/**
 * The email_verified rule of kube-apiserver searches for the literal text `claims.email`. An index
 * or `dyn(claims)` bypasses it: an unverified address becomes a username.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import type { Compilation } from '../compile/compile.ts';
import { addRule } from '../config/rules/add-rule.ts';
import { verifiedRule } from '../config/rules/email-verified.ts';
import { asAccessChanging } from '../diagnostics/diagnostic.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { type ExpressionUse, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';
import { claimRead, isClaims, walk } from './parts/walk-tree.ts';

interface Args {
  readonly text: string;
}

export const emailBypass = defineRule<Compilation, Args>({
  code: 'AG4008',
  name: 'email-bypass',
  severity: 'warning',
  source: 'lint',
  summary:
    'The username reads the email claim in a form that the email_verified check does not detect.',
  message: ({ text }) =>
    `${text} reads the address without the API server asking for email_verified: an unverified address becomes a username`,
  help: () => `Add a claim validation rule: ${verifiedRule}`,
  check(compilation, report) {
    const uses = expressionUses(compilation);
    for (const use of uses) {
      if (use.role !== 'username' || uses.some((other) => readsVerified(other, use))) continue;
      walk(use.compilation.checked.tree, (node) => {
        if (!readsEmailAround(node)) return;
        const entry = compilation.configuration?.jwt[use.authenticator];
        const list = 'claimValidationRules';
        const fixes =
          entry === undefined
            ? []
            : addRule(compilation.document, entry, { list, expression: verifiedRule }).map(
                asAccessChanging,
              );
        report(spanInFile(use, node.span), { text: textOf(use, node.span) }, { fixes });
      });
    }
  },
});

const readsVerified = (other: ExpressionUse, use: ExpressionUse): boolean => {
  if (other.authenticator !== use.authenticator) return false;
  let found = false;
  walk(other.compilation.checked.tree, (node) => {
    found ||= claimRead(node) === 'email_verified';
  });
  return found;
};

const readsEmailAround = (node: CelNode): boolean => {
  if (node.kind === 'call') return node.function !== '_?._' && claimRead(node) === 'email';
  if (node.kind !== 'select' || node.field !== 'email' || node.operand.kind !== 'call')
    return false;
  return node.operand.function === 'dyn' && isClaims(node.operand.args[0]);
};
