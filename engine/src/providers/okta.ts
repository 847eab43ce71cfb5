/** Okta. */
import type { Provider } from './provider.ts';

export const okta: Provider = {
  id: 'okta',
  title: 'Okta',
  description: 'People of one organization, with their groups.',
  source: 'https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/',
  about: [
    'One authorization server of Okta. Groups come only when the server has a claim `groups`, of type',
    'Groups with a filter; ask for as few as the cluster needs.',
  ],
  configuration: `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    # The organization's own server has no path: https://example.okta.com
    url: https://example.okta.com/oauth2/default
    # The client id of the application that asks for the token.
    audiences:
    - 0oa1example2client3id
  claimMappings:
    username:
      # The id of the person in Okta. An address can be given to somebody else one day.
      claim: sub
      prefix: "okta:"
    groups:
      claim: groups
      prefix: "okta:"
    extra:
    - key: example.com/name
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'olu',
  claims: ({ issued, expires }) => ({
    sub: '00u1example2olu3id45',
    name: 'Olu Adebayo',
    email: 'olu@example.com',
    email_verified: true,
    ver: 1,
    iss: 'https://example.okta.com/oauth2/default',
    aud: '0oa1example2client3id',
    iat: issued,
    exp: expires,
    jti: 'ID.exampleIdOfThisToken',
    amr: ['pwd', 'mfa'],
    idp: '00o1example2idp3id45',
    preferred_username: 'olu@example.com',
    auth_time: issued,
    at_hash: 'preTGyhKkWyCYLt8zbSA2Q',
    groups: ['platform', 'on-call'],
  }),
};
