/** Starter configuration for Auth0. */
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

export const auth0: Provider = {
  id: 'auth0',
  title: 'Auth0',
  description: 'Users of one tenant, with roles that an action adds.',
  source: 'https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure',
  about: [
    'One Auth0 tenant. The trailing slash is part of the issuer. A token contains roles only if an action of the',
    'tenant adds them, under a claim name in a domain of yours.',
  ],
  settings: [
    {
      key: 'domain',
      doc: 'the domain of your tenant',
      form: 'host',
      example: 'example.eu.auth0.com',
    },
    {
      key: 'audience',
      doc: 'the client ID of the application that requests the token',
      form: 'text',
      example: 'exampleClientIdOfTheCluster00001',
    },
    {
      key: 'roles-claim',
      doc: 'the claim with the roles, which your action sets',
      form: 'text',
      example: 'https://example.com/roles',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: ${write.text(`https://${write.value('domain')}/`, 'domain')}
    audiences:
    - ${write.scalar('audience')}
  claimMappings:
    username:
      # The connection precedes the bar: the same address in another connection is a different user.
      claim: sub
      prefix: "auth0:"
    groups:
      claim: ${write.scalar('roles-claim')}
      prefix: "auth0:"
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/name`, 'extra-domain')}
      valueExpression: claims.?name.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }, value) => ({
    [value('roles-claim')]: ['developers'],
    nickname: 'ada',
    name: 'Ada Example',
    updated_at: '2026-01-01T12:00:00.000Z',
    email: 'ada@example.com',
    email_verified: true,
    iss: `https://${value('domain')}/`,
    aud: value('audience'),
    sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
    iat: issued,
    exp: expires,
    sid: 'exampleSessionId',
  }),
};
