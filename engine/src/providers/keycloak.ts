/** Starter configuration for Keycloak. */
import type { Provider } from './provider.ts';
import { extraDomain, itemsOf, type SettingValues } from './settings.ts';

const issuerOf = (value: SettingValues): string =>
  `${value('url').replace(/\/$/, '')}/realms/${value('realm')}`;

export const keycloak: Provider = {
  id: 'keycloak',
  title: 'Keycloak',
  description: 'One realm, whose roles become groups.',
  source: 'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
  about: [
    'One Keycloak realm, whose roles become groups. Service accounts are named keycloak:service-account-<client>.',
  ],
  settings: [
    {
      key: 'url',
      doc: 'the address of your Keycloak server, without /realms',
      form: 'url',
      example: 'https://login.example.com',
    },
    {
      key: 'realm',
      doc: 'your realm',
      form: 'segment',
      example: 'platform',
    },
    {
      key: 'audience',
      doc: 'the clients whose tokens are accepted',
      form: 'list',
      example: 'cluster,cluster-admin-console',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: ${write.text(issuerOf(write.value), 'url', 'realm')}
    audiences:
${write.items('audience', '    ')}    audienceMatchPolicy: MatchAny
  claimValidationRules:
  # Keycloak signs ID tokens, refresh tokens and access tokens with the same keys.
  - expression: claims.typ == 'Bearer' || claims.typ == 'ID'
    message: only ID and access tokens
  claimMappings:
    username:
      expression: "'keycloak:' + claims.preferred_username"
    groups:
      # Realm roles, except those that Keycloak assigns to every user.
      expression: >-
        claims.?realm_access.roles.orValue([])
        .filter(role, !role.startsWith('default-roles-') && role != 'offline_access' && role != 'uma_authorization')
        .map(role, 'keycloak:' + role)
    uid:
      claim: sub
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/client`, 'extra-domain')}
      valueExpression: claims.?azp.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }, value) => ({
    exp: expires,
    iat: issued,
    auth_time: issued,
    jti: 'onrtac:5a1f6ea2-4cf2-4be0-9b3e-5bcd1d1e2f30',
    iss: issuerOf(value),
    aud: [itemsOf(value('audience'))[0], 'account'],
    sub: 'f:4f3a:ada',
    typ: 'Bearer',
    azp: 'cluster-cli',
    sid: '7d1c8c8f-2f0c-4d3a-9a6e-1c2b3a4d5e6f',
    acr: '1',
    realm_access: { roles: ['developers', 'offline_access', `default-roles-${value('realm')}`] },
    resource_access: { account: { roles: ['manage-account', 'view-profile'] } },
    scope: 'openid profile email',
    email_verified: true,
    name: 'Ada Example',
    preferred_username: 'ada',
    given_name: 'Ada',
    family_name: 'Example',
    email: 'ada@example.com',
  }),
};
