/**
 * Distributed claims are fetched only for the `claim` form of groups. An expression sees the token
 * as it was sent: if the groups are only in a distributed claim, the expression finds none.
 */
import type { Compilation } from '../compile/compile.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { type ExpressionUse, expressionUses, spanInFile } from './parts/expression-uses.ts';
import { claimRead, walk } from './parts/walk-tree.ts';

interface Args {
  readonly claim: string;
}

export const distributedGroups = defineRule<Compilation, Args>({
  code: 'AG4016',
  name: 'distributed-groups',
  severity: 'warning',
  source: 'lint',
  summary: 'An expression reads groups that the issuer may send as a distributed claim.',
  message: ({ claim }) =>
    claim === 'groups'
      ? 'this issuer moves the groups of people who have many into a distributed claim, which is never fetched for an expression'
      : `${claim} names a distributed claim, which is never fetched for an expression`,
  help: () =>
    'Map groups with claim: in place of expression:, or let the issuer send fewer groups.',
  check(compilation, report) {
    const { configuration } = compilation;
    const uses = expressionUses(compilation);
    for (const use of uses) {
      const entry = configuration?.jwt[use.authenticator];
      if (use.role !== 'groups' || entry === undefined || asksForOverage(use, uses)) continue;
      const reported = new Set<string>();
      walk(use.compilation.checked.tree, (node) => {
        const claim = claimRead(node) ?? '';
        if (
          reported.has(claim) ||
          !(isPointer(claim) || (claim === 'groups' && movesGroups(entry)))
        )
          return;
        reported.add(claim);
        // Such people are rare, and their tokens lack groups rather than being refused.
        const severity = claim === 'groups' ? 'information' : 'warning';
        report(spanInFile(use, node.span), { claim }, { severity });
      });
    }
  },
});

const isPointer = (claim: string): boolean =>
  claim === '_claim_names' || claim === '_claim_sources';

/**
 * Reports whether the issuer is Microsoft Entra ID (any cloud), which omits more than 200 groups.
 */
const movesGroups = ({ issuer }: JwtAuthenticatorConfig): boolean =>
  /^https:\/\/(?:login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)|sts\.(?:windows\.net|chinacloudapi\.cn))(?:\/|$)/.test(
    issuer.url?.value ?? '',
  );

/**
 * Reports whether a claim rule already checks for the overage claims, so the author knows of them.
 */
const asksForOverage = (groups: ExpressionUse, uses: readonly ExpressionUse[]): boolean =>
  uses.some((use) => {
    let found = false;
    if (use.authenticator === groups.authenticator && use.role === 'claim rule')
      walk(use.compilation.checked.tree, (node) => {
        const claim = claimRead(node) ?? '';
        found ||= isPointer(claim) || claim === 'hasgroups';
      });
    return found;
  });
