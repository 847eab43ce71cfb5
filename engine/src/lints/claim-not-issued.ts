/** Finds claims that an issuer never sends, or sends only in some of its tokens. */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { nearName } from '../config/near-name.ts';
import type { Span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { forEachEntry, spanInFile } from './parts/expression-uses.ts';
import { issuerClaims } from './parts/issuer-claims.ts';

interface Args {
  readonly claim: string;
  readonly title: string;
  /** When the issuer sends the claim; `undefined` for never. */
  readonly when: string | undefined;
  /** The claim that was probably meant. */
  readonly near: string | undefined;
}

export const claimNotIssued = defineLint<Args>({
  code: 'AG4038',
  name: 'claim-not-issued',
  summary: 'The issuer never sends a required claim, or sends it only in some tokens.',
  message: ({ claim, title, when }) =>
    when === undefined
      ? `${title} sends no claim ${claim}: every token is rejected`
      : `${title} sends ${claim} ${when}: other tokens are rejected`,
  help: ({ claim, when, near }) => {
    if (when !== undefined)
      return `Use a claim that every token has, or read it as claims.?${claim}.orValue(…).`;
    const question = near === undefined ? '' : `Did you mean ${near}? `;
    return `${question}Compare with the claims of a real token: authgraph whoami --explain.`;
  },
  check(compilation, report) {
    forEachEntry(compilation, (entry, uses, index) => {
      const issuer = issuerClaims(entry.issuer.url?.value ?? '');
      if (issuer === undefined) return;
      const { title, always, sometimes, isComplete } = issuer;
      const reported = new Set<string>();
      const check = (claim: string, span: Span, isUsername: boolean): void => {
        if (always.includes(claim) || reported.has(claim)) return;
        const when = sometimes.get(claim);
        // A rule or another mapping may be meant to reject tokens without the claim.
        if (when === undefined ? !isComplete : !isUsername) return;
        reported.add(claim);
        report(
          span,
          { claim, title, when, near: nearName(claim, [...always, ...sometimes.keys()]) },
          {
            severity: when === undefined ? 'warning' : 'information',
            question: { kind: 'rejected', entry: index, without: claim, isOpen: true },
          },
        );
      };
      const { claim, expression } = entry.claimMappings.username;
      if (expression === undefined && claim !== undefined) check(claim.value, claim.span, true);
      for (const rule of entry.claimValidationRules)
        if (rule.claim !== undefined) check(rule.claim.value, rule.claim.span, false);
      for (const use of uses)
        for (const node of nodesOf(use.compilation.checked.tree)) {
          const read = claimRead(node);
          if (read !== undefined) check(read, spanInFile(use, node.span), use.role === 'username');
        }
    });
  },
});
