/**
 * An audience that many applications share: a token that one of them received, or that was issued
 * for another purpose, can be used for the cluster.
 */

import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { isSlash, trimEnd } from '../formats/trim.ts';
import { defineLint } from './parts/define-lint.ts';
import { readsClaim } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry } from './parts/expression-uses.ts';

interface Args {
  readonly audience: string;
  readonly owner: string;
}

export const sharedAudience = defineLint<Args>({
  code: 'AG4030',
  name: 'shared-audience',
  summary: 'An audience is shared by many applications, so their tokens are accepted.',
  message: ({ audience, owner }) =>
    `the audience ${JSON.stringify(audience)} is not specific to this cluster: it is ${owner}, and their tokens are accepted`,
  help: () =>
    'Use an audience of the cluster, or add a claim validation rule for the client, such as azp.',
  check(compilation, report) {
    forEachEntry(compilation, (entry, uses, index) => {
      const { issuer } = entry;
      const checked = clientClaims.filter((name) => hasRuleFor(name, entry, uses));
      const client = [...new Set(['azp', ...checked])].map((name) => [name, 'another-application']);
      for (const audience of issuer.audiences) {
        const owner = ownerOf(audience.value, issuer.url?.value ?? '');
        if (owner === undefined) continue;
        const claims = { aud: audience.value, ...Object.fromEntries(client) };
        report(
          audience.span,
          { audience: audience.value, owner },
          {
            question: {
              kind: 'accepted',
              entry: index,
              tokens: [{ claims }],
              ...(checked.length > 0 ? { isOpen: true } : {}),
            },
          },
        );
      }
    });
  },
});

/** The claims that name the client for which a token was issued. */
const clientClaims = ['azp', 'client_id', 'appid', 'cid'];

const hasRuleFor = (
  name: string,
  { claimValidationRules }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
): boolean =>
  claimValidationRules.some(({ claim }) => claim?.value === name) ||
  uses.some(
    ({ role, compilation }) => role === 'claim rule' && readsClaim(compilation.checked.tree, name),
  );

/** Returns whose audience it is; `undefined` for one that may be specific to the cluster. */
const ownerOf = (audience: string, issuer: string): string | undefined => {
  const known = owners.get(trimEnd(audience, isSlash));
  if (known !== undefined) return known;
  const url = trimEnd(issuer, isSlash);
  const value = trimEnd(audience, isSlash);
  if (url !== '' && value === url) return 'the URL of the issuer, whose own services accept it';
  if (value === `${url}/userinfo` || value === `${url}/api/v2`)
    return 'an API of the issuer, for which every application gets tokens';
  if (
    issuer === 'https://token.actions.githubusercontent.com' &&
    /^https:\/\/github\.com\/[^/]+$/.test(value)
  )
    return 'the default for all workflows of this owner, whatever they use the token for';
  // The workload identity pool of a project.
  return audience.endsWith('.svc.id.goog') ? 'the audience of tokens for Google Cloud' : undefined;
};

const microsoft = 'an API of Microsoft, for which most applications get tokens';
const cloudSdk = 'the client ID of the Google Cloud CLI, which everyone uses';
const cluster = 'the default audience of every Kubernetes cluster';

/** Audiences without a slash at the end, as their owners document them. */
const owners: ReadonlyMap<string, string> = new Map([
  [
    'api://default',
    "the audience of Okta's default authorization server, which all applications share",
  ],
  ['account', 'the audience that Keycloak adds to the access tokens of all clients'],
  ['sts.amazonaws.com', 'the audience of tokens for AWS'],
  ['api://AzureADTokenExchange', 'the audience of tokens for Microsoft Entra ID'],
  ['sigstore', 'the audience of tokens for signatures'],
  ['00000003-0000-0000-c000-000000000000', microsoft],
  ['00000002-0000-0000-c000-000000000000', microsoft],
  ['https://graph.microsoft.com', microsoft],
  ['https://graph.windows.net', microsoft],
  ['https://management.azure.com', microsoft],
  ['https://management.core.windows.net', microsoft],
  ['32555940559.apps.googleusercontent.com', cloudSdk],
  ['764086051850-6qr4p6gpi6hn506pt8ejuq83di341hur.apps.googleusercontent.com', cloudSdk],
  ['https://kubernetes.default.svc', cluster],
  ['https://kubernetes.default.svc.cluster.local', cluster],
]);
