/** Starter configuration for Dex. */
import { celString } from './entry-writer.ts';
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

export const dex: Provider = {
  id: 'dex',
  title: 'Dex',
  description: 'Users of one Dex connector, with their groups.',
  source: 'https://dexidp.io/docs/configuration/custom-scopes-claims-clients/',
  about: [
    'Dex in front of another directory. The subject contains the IDs of the user and of the connector, so it',
    'never changes; names and addresses are whatever the connector currently reports.',
  ],
  settings: [
    {
      key: 'issuer',
      doc: 'the issuer of your Dex server',
      form: 'url',
      example: 'https://dex.example.com',
    },
    {
      key: 'audience',
      doc: 'the ID of the static client that requests the token',
      form: 'text',
      example: 'kubectl',
    },
    {
      key: 'connector',
      doc: 'the ID of the connector whose users are accepted',
      form: 'text',
      example: 'ldap',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: ${write.scalar('issuer')}
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  # Several connectors may have users with the same names: accept only one of them.
  - expression: ${write.text(`claims.?federated_claims.connector_id.orValue('') == ${celString(write.value('connector'))}`, 'connector')}
    message: only users of the directory; request the scope federated:id
  claimMappings:
    username:
      expression: "'dex:' + claims.federated_claims.user_id"
    groups:
      claim: groups
      prefix: "dex:"
    uid:
      claim: sub
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/name`, 'extra-domain')}
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }, value) => ({
    iss: value('issuer'),
    sub: 'CgNhZGESBGxkYXA',
    aud: value('audience'),
    exp: expires,
    iat: issued,
    at_hash: 'Z9xmkD6v3Tqk0sPr0gkWmA',
    email: 'ada@example.com',
    email_verified: true,
    groups: ['developers', 'on-call'],
    name: 'Ada Example',
    preferred_username: 'ada',
    federated_claims: { connector_id: value('connector'), user_id: 'ada' },
  }),
};
