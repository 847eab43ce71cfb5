/** Starter configuration for Google. */
import type { Provider } from './provider.ts';

export const google: Provider = {
  id: 'google',
  title: 'Google',
  description: 'Users of one Workspace domain, by their verified address.',
  source:
    'https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload',
  about: ['Users of one Google Workspace domain.'],
  settings: [
    {
      key: 'audience',
      doc: 'the client ID of the application that requests the token',
      form: 'text',
      example: '1234567890-example.apps.googleusercontent.com',
    },
    {
      key: 'domain',
      doc: 'your Workspace domain',
      form: 'host',
      example: 'example.com',
    },
  ],
  authenticator: (write) => `- issuer:
    url: https://accounts.google.com
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  # Without this rule, every Google account in the world is accepted.
  - claim: hd
    requiredValue: ${write.scalar('domain')}
  claimMappings:
    username:
      # With the claim \`email\` the server itself rejects addresses that are not verified.
      claim: email
      prefix: ""
    uid:
      claim: sub
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
    message: names that start with system are reserved
`,
  sample: 'olu',
  claims: ({ issued, expires }, value) => ({
    iss: 'https://accounts.google.com',
    azp: value('audience'),
    aud: value('audience'),
    sub: '110169484474386276334',
    hd: value('domain'),
    email: `olu@${value('domain')}`,
    email_verified: true,
    at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
    name: 'Olu Adebayo',
    given_name: 'Olu',
    family_name: 'Adebayo',
    iat: issued,
    exp: expires,
  }),
};
