/** Starter configuration for Microsoft Entra ID. */
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

const issuerOf = (tenant: string): string => `https://login.microsoftonline.com/${tenant}/v2.0`;

export const entra: Provider = {
  id: 'entra',
  title: 'Microsoft Entra ID',
  description: 'Users of one tenant, by their object ID.',
  source: 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
  about: [
    'One tenant of Microsoft Entra ID. Groups are object IDs, and tokens of users with more than 200 groups',
    'contain none: such a token must not look like one of a user without groups.',
  ],
  settings: [
    {
      key: 'tenant',
      doc: 'the ID of your directory (tenant)',
      form: 'segment',
      example: '11111111-2222-3333-4444-555555555555',
    },
    {
      key: 'audience',
      doc: 'the client ID of the application that requests the token',
      form: 'text',
      example: '99999999-8888-7777-6666-555555555555',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: ${write.text(issuerOf(write.value('tenant')), 'tenant')}
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  - claim: tid
    requiredValue: ${write.scalar('tenant')}
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
    - key: ${write.text(`${write.value('extra-domain')}/name`, 'extra-domain')}
      valueExpression: claims.?preferred_username.orValue('')
`,
  sample: 'olu',
  claims: ({ issued, expires }, value) => ({
    aud: value('audience'),
    iss: issuerOf(value('tenant')),
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
    tid: value('tenant'),
    uti: 'vKpZ0m3yRkW1aXlBq0IAAA',
    ver: '2.0',
  }),
};
