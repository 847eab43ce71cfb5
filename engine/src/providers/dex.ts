/** Starter configuration for Dex. */
import type { Provider } from './provider.ts';

export const dex: Provider = {
  id: 'dex',
  title: 'Dex',
  description: 'Users of one Dex connector, with their groups.',
  source: 'https://dexidp.io/docs/configuration/custom-scopes-claims-clients/',
  about: [
    'Dex in front of another directory. The subject contains the IDs of the user and of the connector, so it',
    'never changes; names and addresses are whatever the connector currently reports.',
  ],
  authenticator: `- issuer:
    url: https://dex.example.com
    # The ID of the static client that requests the token.
    audiences:
    - kubectl
  claimValidationRules:
  # Several connectors may have users with the same names: accept only one of them.
  - expression: claims.?federated_claims.connector_id.orValue('') == 'ldap'
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
    - key: example.com/name
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }) => ({
    iss: 'https://dex.example.com',
    sub: 'CgNhZGESBGxkYXA',
    aud: 'kubectl',
    exp: expires,
    iat: issued,
    at_hash: 'Z9xmkD6v3Tqk0sPr0gkWmA',
    email: 'ada@example.com',
    email_verified: true,
    groups: ['developers', 'on-call'],
    name: 'Ada Example',
    preferred_username: 'ada',
    federated_claims: { connector_id: 'ldap', user_id: 'ada' },
  }),
};
