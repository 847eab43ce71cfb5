/** Starter configuration for Okta. */
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

export const okta: Provider = {
  id: 'okta',
  title: 'Okta',
  description: 'Users of one organization, with their groups.',
  source: 'https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/',
  about: [
    'One Okta authorization server. Tokens contain groups only if the server has a claim `groups` of type',
    'Groups with a filter; include as few as the cluster needs.',
  ],
  settings: [
    {
      key: 'issuer',
      doc: 'the issuer of your authorization server',
      form: 'url',
      example: 'https://example.okta.com/oauth2/default',
    },
    {
      key: 'audience',
      doc: 'the client ID of the application that requests the token',
      form: 'text',
      example: '0oa1example2client3id',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    # The organization's own server has no path: https://example.okta.com
    url: ${write.scalar('issuer')}
    audiences:
    - ${write.scalar('audience')}
  claimMappings:
    username:
      # The user's ID in Okta. An address may be reassigned to another user.
      claim: sub
      prefix: "okta:"
    groups:
      claim: groups
      prefix: "okta:"
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/name`, 'extra-domain')}
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'olu',
  claims: ({ issued, expires }, value) => ({
    sub: '00u1example2olu3id45',
    name: 'Olu Adebayo',
    email: 'olu@example.com',
    email_verified: true,
    ver: 1,
    iss: value('issuer'),
    aud: value('audience'),
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
