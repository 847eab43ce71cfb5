/** Starter configuration for Keycloak. */
import type { Provider } from './provider.ts';

export const keycloak: Provider = {
  id: 'keycloak',
  title: 'Keycloak',
  description: 'One realm, whose roles become groups.',
  source: 'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
  about: [
    'One Keycloak realm, whose roles become groups. Service accounts are named keycloak:service-account-<client>.',
  ],
  authenticator: `- issuer:
    url: https://login.example.com/realms/platform
    audiences:
    - cluster
    - cluster-admin-console
    audienceMatchPolicy: MatchAny
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
    - key: example.com/client
      valueExpression: claims.?azp.orValue('')
`,
  sample: 'ada',
  claims: ({ issued, expires }) => ({
    exp: expires,
    iat: issued,
    auth_time: issued,
    jti: 'onrtac:5a1f6ea2-4cf2-4be0-9b3e-5bcd1d1e2f30',
    iss: 'https://login.example.com/realms/platform',
    aud: ['cluster', 'account'],
    sub: 'f:4f3a:ada',
    typ: 'Bearer',
    azp: 'cluster-cli',
    sid: '7d1c8c8f-2f0c-4d3a-9a6e-1c2b3a4d5e6f',
    acr: '1',
    realm_access: { roles: ['developers', 'offline_access', 'default-roles-platform'] },
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
