/**
 * The email_verified rule of kube-apiserver searches for the literal text `claims.email`. An index
 * or `dyn(claims)` bypasses it: an unverified address becomes a username.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { verifiedRuleFixes, verifiedRuleHelp } from '../config/rules/email-verified.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead, isClaims, readsClaim } from './parts/expression-nodes.ts';
import { type ExpressionUse, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';
import { unverifiedAddress } from './parts/unverified-address.ts';

interface Args {
  readonly text: string;
}

export const emailBypass = defineLint<Args>({
  code: 'AG4008',
  name: 'email-bypass',
  summary:
    'The username reads the email claim in a form that the email_verified check does not detect.',
  message: ({ text }) =>
    `${text} reads the email claim in a form for which kube-apiserver does not require email_verified: an unverified address becomes a username`,
  help: () => verifiedRuleHelp,
  check(compilation, report) {
    const uses = expressionUses(compilation);
    for (const use of uses) {
      if (use.role !== 'username' || uses.some((other) => readsVerified(other, use))) continue;
      for (const node of nodesOf(use.compilation.checked.tree)) {
        if (!readsEmailAround(node)) continue;
        const entry = compilation.configuration?.jwt[use.authenticator];
        const fixes = entry === undefined ? [] : verifiedRuleFixes(compilation.document, entry);
        const question = unverifiedAddress(use.authenticator);
        report(spanInFile(use, node.span), { text: textOf(use, node.span) }, { fixes, question });
      }
    }
  },
});

const readsVerified = (other: ExpressionUse, use: ExpressionUse): boolean =>
  other.authenticator === use.authenticator &&
  readsClaim(other.compilation.checked.tree, 'email_verified');

const readsEmailAround = (node: CelNode): boolean => {
  if (node.kind === 'call') return node.function !== '_?._' && claimRead(node) === 'email';
  if (node.kind !== 'select' || node.field !== 'email' || node.operand.kind !== 'call')
    return false;
  return node.operand.function === 'dyn' && isClaims(node.operand.args[0]);
};
