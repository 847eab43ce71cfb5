/** Issuers are recognized by their URL, wherever a provider's URLs have a form of their own. */
import { expect, test } from 'vitest';
import { knownIssuer, knownIssuers } from '../../../engine/src/providers/known-issuers.ts';

test.each([
  ['https://token.actions.githubusercontent.com', 'GitHub Actions'],
  ['https://accounts.google.com', 'Google'],
  ['https://login.microsoftonline.com/0f0e/v2.0', 'Microsoft Entra ID'],
  ['https://acme.okta.com', 'Okta'],
  ['https://acme.okta.com/oauth2/aus1', 'Okta'],
  ['https://acme.us.auth0.com/', 'Auth0'],
  ['https://sso.acme.test/auth/realms/staff', 'Keycloak'],
  ['https://oidc.eks.eu-north-1.amazonaws.com/id/ABC', 'Amazon EKS service accounts'],
  ['https://gitlab.com', 'GitLab'],
  ['https://notokta.com', undefined],
  ['https://evil.test/https://acme.okta.com', undefined],
  ['https://acme.us.auth0.com/x', undefined],
  ['https://login.microsoftonline.com/a/b/v2.0', undefined],
  ['https://token.actions.githubusercontent.com.evil.test', undefined],
  ['https://idp.acme.test', undefined],
  ['', undefined],
  [`https://sso.acme.test/${'a'.repeat(5000)}/realms/staff`, undefined],
])('%s', (url, title) => {
  expect(knownIssuer(url)?.title).toBe(title);
});

test('every known issuer recognizes its own URL, whose variable parts are in it in order', () => {
  for (const { title, url, variables, claims } of knownIssuers()) {
    expect(knownIssuer(url)?.title).toBe(title);
    expect(claims.iss).toBe(url);
    let rest = url;
    for (const variable of variables) {
      expect(rest).toContain(variable);
      rest = rest.slice(rest.indexOf(variable) + variable.length);
    }
  }
  expect(knownIssuers().length).toBeGreaterThan(7);
});
