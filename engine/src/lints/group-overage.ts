/**
 * Microsoft Entra ID sends no groups to members of more than 200 groups, but a link. The link needs
 * an access token, which kube-apiserver does not have, so it rejects the tokens of these users.
 */
import { defineLint } from './parts/define-lint.ts';
import { isEntra } from './parts/entra.ts';

export const groupOverage = defineLint({
  code: 'AG4034',
  name: 'group-overage',
  severity: 'information',
  summary: 'Microsoft Entra ID sends a link instead of groups to users with more than 200 groups.',
  message: () =>
    'users with more than 200 groups are rejected: Microsoft Entra ID sends a link instead of their groups, which kube-apiserver cannot fetch without an access token',
  help: () =>
    'Configure the application to send only the groups that are assigned to it, or map app roles (claim: roles).',
  check(compilation, report) {
    for (const { issuer, claimMappings } of compilation.configuration?.jwt ?? []) {
      const { claim, expression } = claimMappings.groups ?? {};
      if (claim?.value !== 'groups' || expression !== undefined) continue;
      if (isEntra(issuer.url?.value ?? '')) report(claim.span, {});
    }
  },
});
