/**
 * Distributed claims are fetched only for the `claim` form of groups. An expression sees the token
 * as it was sent: if the groups are only in a distributed claim, the expression finds none.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { defineLint } from './parts/define-lint.ts';
import { isEntra } from './parts/entra.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { type ExpressionUse, expressionUses, spanInFile } from './parts/expression-uses.ts';

interface Args {
  readonly claim: string;
}

export const distributedGroups = defineLint<Args>({
  code: 'AG4016',
  name: 'distributed-groups',
  summary: 'An expression reads groups that the issuer may send as a distributed claim.',
  message: ({ claim }) =>
    claim === 'groups'
      ? 'this issuer sends the groups of users with many groups as a distributed claim, which is never fetched for an expression'
      : `${claim} refers to a distributed claim, which is never fetched for an expression`,
  help: ({ claim }) =>
    claim === 'groups'
      ? 'Configure the application to send only the groups that are assigned to it.'
      : 'Map groups with claim: instead of expression:, or configure the issuer to send fewer groups.',
  check(compilation, report) {
    const { configuration } = compilation;
    const uses = expressionUses(compilation);
    for (const use of uses) {
      const entry = configuration?.jwt[use.authenticator];
      if (use.role !== 'groups' || entry === undefined || asksForOverage(use, uses)) continue;
      const reported = new Set<string>();
      for (const node of nodesOf(use.compilation.checked.tree)) {
        const claim = claimRead(node) ?? '';
        if (
          reported.has(claim) ||
          !(isPointer(claim) || (claim === 'groups' && isEntra(entry.issuer.url?.value ?? '')))
        )
          continue;
        reported.add(claim);
        // Such people are rare, and their tokens lack groups rather than being refused.
        const severity = claim === 'groups' ? 'information' : 'warning';
        report(spanInFile(use, node.span), { claim }, { severity });
      }
    }
  },
});

const isPointer = (claim: string): boolean =>
  claim === '_claim_names' || claim === '_claim_sources';

/**
 * Reports whether a claim rule already checks for the overage claims, so the author knows of them.
 */
const asksForOverage = (groups: ExpressionUse, uses: readonly ExpressionUse[]): boolean =>
  uses.some(
    ({ authenticator, role, compilation }) =>
      authenticator === groups.authenticator &&
      role === 'claim rule' &&
      nodesOf(compilation.checked.tree).some((node) => {
        const claim = claimRead(node) ?? '';
        return isPointer(claim) || claim === 'hasgroups';
      }),
  );
