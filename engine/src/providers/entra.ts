/** Starter configuration for Microsoft Entra ID. */
import type { Provider } from './provider.ts';

export const entra: Provider = {
  id: 'entra',
  title: 'Microsoft Entra ID',
  description: 'Users of one tenant, by their object ID.',
  source: 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
  about: [
    'One tenant of Microsoft Entra ID. Groups are object IDs, and tokens of users with more than 200 groups',
    'contain none: such a token must not look like one of a user without groups.',
  ],
  authenticator: `- issuer:
    url: https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0
    audiences:
    - 99999999-8888-7777-6666-555555555555
  claimValidationRules:
  - claim: tid
    requiredValue: 11111111-2222-3333-4444-555555555555
  - expression: "!has(claims.hasgroups)"
    message: too many groups for a token; assign application roles instead
  claimMappings:
    username:
      # The object ID never changes and is never reassigned; an address may be.
      claim: oid
      prefix: "entra:"
    groups:
      claim: groups
      prefix: "entra:"
    extra:
    - key: example.com/name
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'olu',
  claims: ({ issued, expires }) => ({
    aud: '99999999-8888-7777-6666-555555555555',
    iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
    iat: issued,
    nbf: issued,
    exp: expires,
    aio: 'AWQAm/8aAAAA0rGq4gWJ',
    groups: ['0f0f0f0f-0000-4000-8000-000000000001'],
    name: 'Olu Adebayo',
    oid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    preferred_username: 'olu@example.com',
    rh: '0.AXwAESIiMzNEVVVm',
    sub: 'k3s0mE-pa1rw1se-1d',
    tid: '11111111-2222-3333-4444-555555555555',
    uti: 'vKpZ0m3yRkW1aXlBq0IAAA',
    ver: '2.0',
  }),
};
