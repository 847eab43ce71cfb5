/** Starter configuration for SPIFFE. */
import type { Provider } from './provider.ts';

export const spiffe: Provider = {
  id: 'spiffe',
  title: 'SPIFFE',
  description: 'Workloads of one trust domain, by their SPIFFE ID.',
  source: 'https://github.com/spiffe/spiffe/blob/main/standards/JWT-SVID.md',
  about: [
    'Workloads of one trust domain. SPIRE needs its OIDC discovery provider, and `jwt_issuer` set to the same',
    'URL: a JWT-SVID has no issuer otherwise.',
  ],
  authenticator: `- issuer:
    url: https://oidc-discovery.example.org
    # The audience that the workload requests.
    audiences:
    - cluster.example.org
  claimValidationRules:
  - expression: claims.sub.startsWith('spiffe://example.org/')
    message: only workloads of the trust domain example.org
  claimMappings:
    username:
      # The whole ID: it starts with spiffe://, so it cannot be confused with another name.
      claim: sub
      prefix: ""
    groups:
      # spiffe://example.org/ns/shop/sa/web -> spiffe:ns:shop
      expression: >-
        claims.sub.matches('^spiffe://[^/]+/ns/[^/]+/')
        ? ['spiffe:ns:' + claims.sub.split('/')[4]]
        : []
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
    message: names that start with system are reserved
`,
  sample: 'web',
  claims: ({ issued, expires }) => ({
    iss: 'https://oidc-discovery.example.org',
    sub: 'spiffe://example.org/ns/shop/sa/web',
    aud: ['cluster.example.org'],
    exp: expires,
    iat: issued,
  }),
};
