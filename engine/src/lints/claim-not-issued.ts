/**
 * Finds claims that an issuer never sends, or sends only in some of its tokens. If the claims of the
 * issuer are not known, finds misspelled names of common claims.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig, LocatedString } from '../config/configuration.ts';
import { nearName } from '../config/near-name.ts';
import { meantClaim, renameClaim } from '../config/rules/misspelled-claim.ts';
import { toFileSpan } from '../source/position-map.ts';
import { type Span, span as spanOf } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry } from './parts/expression-uses.ts';
import { issuerClaims } from './parts/issuer-claims.ts';

interface Args {
  readonly claim: string;
  /** The name of the issuer; `undefined` if its claims are not known. */
  readonly title: string | undefined;
  /** When the issuer sends the claim; `undefined` for never. */
  readonly when: string | undefined;
  /** The claim that was probably meant. */
  readonly near: string | undefined;
}

export const claimNotIssued = defineLint<Args>({
  code: 'AG4038',
  name: 'claim-not-issued',
  summary: 'The issuer never sends a required claim, or sends it only in some tokens.',
  message: ({ claim, title, when, near }) => {
    if (title === undefined)
      return `The claim ${claim} is probably misspelled: tokens usually have ${near}`;
    return when === undefined
      ? `${title} sends no claim ${claim}: every token is rejected`
      : `${title} sends ${claim} ${when}: other tokens are rejected`;
  },
  help: ({ claim, when, near }) => {
    if (when !== undefined)
      return `Use a claim that every token has, or read it as claims.?${claim}.orValue(…).`;
    const question = near === undefined ? '' : `Did you mean ${near}? `;
    return `${question}Compare with the claims of a real token: authgraph whoami --explain.`;
  },
  check(compilation, report) {
    const { source } = compilation.document;
    forEachEntry(compilation, (entry, uses, index) => {
      const issuer = issuerClaims(entry.issuer.url?.value ?? '');
      const reported = new Set<string>();
      for (const { claim, located, part, isUsername } of claimReads(entry, uses)) {
        if (reported.has(claim)) continue;
        const span = part === undefined ? located.span : toFileSpan(located.map, part);
        if (issuer === undefined) {
          const near = meantClaim(claim);
          if (near === undefined) continue;
          reported.add(claim);
          const read = { located, part: part ?? wholeSpan(located) };
          const fixes = renameClaim(source, read, { written: claim, meant: near });
          report(span, { claim, title: undefined, when: undefined, near }, { fixes });
          continue;
        }
        const { title, always, sometimes, isComplete } = issuer;
        const when = sometimes.get(claim);
        // A rule or another mapping may be meant to reject tokens without the claim.
        if (always.includes(claim) || (when === undefined ? !isComplete : !isUsername)) continue;
        reported.add(claim);
        report(
          span,
          { claim, title, when, near: nearName(claim, [...always, ...sometimes.keys()]) },
          {
            severity: when === undefined ? 'warning' : 'information',
            question: { kind: 'rejected', entry: index, without: claim, isOpen: true },
          },
        );
      }
    });
  },
});

interface ClaimRead {
  readonly claim: string;
  readonly located: LocatedString;
  /** The part of an expression; `undefined` for a field that names the claim. */
  readonly part: Span | undefined;
  readonly isUsername: boolean;
}

/** Returns the reads of claims: those of the username and the rules by name, then of expressions. */
const claimReads = (
  { claimMappings: { username }, claimValidationRules }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
): readonly ClaimRead[] => {
  const named = (located: LocatedString | undefined, isUsername: boolean): readonly ClaimRead[] =>
    located === undefined ? [] : [{ claim: located.value, located, part: undefined, isUsername }];
  return [
    ...(username.expression === undefined ? named(username.claim, true) : []),
    ...claimValidationRules.flatMap(({ claim }) => named(claim, false)),
    ...uses.flatMap(({ located, compilation, role }) =>
      nodesOf(compilation.checked.tree).flatMap((node) => {
        const claim = claimRead(node);
        return claim === undefined
          ? []
          : { claim, located, part: node.span, isUsername: role === 'username' };
      }),
    ),
  ];
};

const wholeSpan = ({ value }: LocatedString): Span => spanOf(0, value.length);
