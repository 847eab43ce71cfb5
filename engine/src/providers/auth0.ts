/** Starter configuration for Auth0. */
import type { Provider } from './provider.ts';

export const auth0: Provider = {
  id: 'auth0',
  title: 'Auth0',
  description: 'Users of one tenant, with roles that an action adds.',
  source: 'https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure',
  about: [
    'One Auth0 tenant. The trailing slash is part of the issuer. A token contains roles only if an action of the',
    'tenant adds them, under a claim name in a domain of yours.',
  ],
  authenticator: `- issuer:
    url: https://example.eu.auth0.com/
    # The client ID of the application that requests the token.
    audiences:
    - exampleClientIdOfTheCluster00001
  claimMappings:
    username:
      # The connection precedes the bar: the same address in another connection is a different user.
      claim: sub
      prefix: "auth0:"
    groups:
      claim: https://example.com/roles
      prefix: "auth0:"
    extra:
    - key: example.com/name
      valueExpression: claims.?name.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }) => ({
    'https://example.com/roles': ['developers'],
    nickname: 'ada',
    name: 'Ada Example',
    updated_at: '2026-01-01T12:00:00.000Z',
    email: 'ada@example.com',
    email_verified: true,
    iss: 'https://example.eu.auth0.com/',
    aud: 'exampleClientIdOfTheCluster00001',
    sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
    iat: issued,
    exp: expires,
    sid: 'exampleSessionId',
  }),
};
