// The largest configuration that is allowed, 64 authenticators, and what somebody does in it.

const entry = (index) => `  - issuer:
      url: https://issuer-${index}.example.com
      discoveryURL: https://discovery-${index}.internal.example.com/.well-known/openid-configuration
      audiences:
        - cluster-a-${index}
        - cluster-b-${index}
      audienceMatchPolicy: MatchAny
    claimValidationRules:
      - claim: hd
        requiredValue: example-${index}.com
      - expression: claims.exp - claims.nbf <= 86400
        message: the token may live for one day at most
      - expression: claims.email_verified == true
        message: the address must be verified
      - expression: >-
          has(claims.realm_access) &&
          claims.realm_access.roles.exists(r, r.startsWith("team-${index}-"))
        message: needs a role of team ${index}
    claimMappings:
      username:
        expression: '"team-${index}:" + claims.email'
      groups:
        expression: >-
          claims.realm_access.roles
            .filter(r, r.startsWith("team-${index}-"))
            .map(r, "oidc:" + r)
      uid:
        claim: sub
      extra:
        - key: example.com/tenant-${index}
          valueExpression: claims.tenant
        - key: example.com/session-${index}
          valueExpression: '[claims.sid]'
        - key: example.com/verified-${index}
          valueExpression: string(claims.email_verified)
    userValidationRules:
      - expression: "!user.username.startsWith('system:')"
        message: username may not use the reserved prefix
      - expression: user.groups.all(g, !g.startsWith('system:'))
        message: groups may not use the reserved prefix
`;

export const configuration = () =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
${Array.from({ length: 64 }, (_, index) => entry(index)).join('')}anonymous:
  enabled: true
  conditions:
    - path: /livez
    - path: /readyz
`;

/** One letter and its removal, so many times, behind the `nth` place of a text. */
export const typing = [
  { behind: 'audienceMatchPolicy: MatchAn', nth: 32, times: 50 },
  { behind: '"oidc:" + r', nth: 63, times: 25 },
  { behind: 'claims.exp - claims.n', nth: 0, times: 25 },
];

export const completions = [
  { behind: '      audienceMatchPolicy: ', nth: 32, times: 20 },
  { behind: '      uid:\n        ', nth: 32, times: 20 },
];

export const hovers = [{ behind: 'dis', within: 'discoveryURL', nth: 32, times: 30 }];
