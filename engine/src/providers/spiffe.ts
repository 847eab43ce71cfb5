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
  settings: [
    {
      key: 'issuer',
      doc: 'the URL of your OIDC discovery provider',
      form: 'url',
      example: 'https://oidc-discovery.example.org',
    },
    {
      key: 'audience',
      doc: 'the audience that your workloads request',
      form: 'text',
      example: 'cluster.example.org',
    },
    {
      key: 'trust-domain',
      doc: 'your trust domain',
      form: 'host',
      example: 'example.org',
    },
  ],
  authenticator: (write) => `- issuer:
    url: ${write.scalar('issuer')}
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  - expression: ${write.text(`claims.sub.startsWith('spiffe://${write.value('trust-domain')}/')`, 'trust-domain')}
    message: only workloads of the trust domain ${write.value('trust-domain')}
  claimMappings:
    username:
      # The whole ID: it starts with spiffe://, so it cannot be confused with another name.
      claim: sub
      prefix: ""
    groups:
      # spiffe://${write.value('trust-domain')}/ns/shop/sa/web -> spiffe:ns:shop
      expression: >-
        claims.sub.matches('^spiffe://[^/]+/ns/[^/]+/')
        ? ['spiffe:ns:' + claims.sub.split('/')[4]]
        : []
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
    message: names that start with system are reserved
`,
  sample: 'web',
  claims: ({ issued, expires }, value) => ({
    iss: value('issuer'),
    sub: `spiffe://${value('trust-domain')}/ns/shop/sa/web`,
    aud: [value('audience')],
    exp: expires,
    iat: issued,
  }),
};
