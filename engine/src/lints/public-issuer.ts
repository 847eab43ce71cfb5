/**
 * A public issuer gives tokens to everyone, and often lets them choose the audience. Unless a rule
 * restricts the owner of a token, strangers are authenticated.
 */

import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { type ExpressionUse, usesByAuthenticator } from './parts/expression-uses.ts';
import { type PublicIssuer, publicIssuer } from './parts/public-issuers.ts';

interface Args {
  readonly issuer: PublicIssuer;
}

export const publicIssuerLint = defineLint<Args>({
  code: 'AG4029',
  name: 'public-issuer',
  summary: 'A public issuer is trusted, and no rule restricts whose tokens are accepted.',
  message: ({ issuer }) =>
    `${issuer.title} is a public issuer, and no rule restricts the owner: ${issuer.everyone} is authenticated`,
  help: ({ issuer: { ownerClaims } }) =>
    `Add a claim validation rule for ${ownerClaims[0] ?? 'sub'}, or another claim that names your organization.`,
  check(compilation, report) {
    const uses = usesByAuthenticator(compilation);
    compilation.configuration?.jwt.forEach((entry, index) => {
      const { url } = entry.issuer;
      const issuer = url === undefined ? undefined : publicIssuer(url.value);
      if (url === undefined || issuer === undefined) return;
      // Administrators of the tenant assign groups: a stranger is in none.
      if (issuer.isOwnTenant && entry.claimMappings.groups !== undefined) return;
      // A rule about the owner may still accept strangers.
      const isOpen = hasOwnerRule(entry, uses[index] ?? [], issuer.ownerClaims);
      report(
        url.span,
        { issuer },
        {
          severity: issuer.isAlwaysOpen ? 'warning' : 'information',
          question: {
            kind: 'accepted',
            entry: index,
            tokens: issuer.strangers,
            ...(isOpen ? { isOpen: true } : {}),
          },
        },
      );
    });
  },
});

const hasOwnerRule = (
  { claimValidationRules }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
  ownerClaims: readonly string[],
): boolean =>
  claimValidationRules.some(({ claim }) => ownerClaims.includes(claim?.value ?? '')) ||
  uses.some(
    ({ role, compilation }) =>
      role === 'user rule' ||
      (role === 'claim rule' &&
        nodesOf(compilation.checked.tree).some((node) =>
          ownerClaims.includes(claimRead(node) ?? ''),
        )),
  );
