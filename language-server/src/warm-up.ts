/**
 * Warms up the compiler's caches (tokens, grammar, functions) before the first file is opened.
 * Editors open a file shortly after they start the server, so the first diagnostics arrive sooner.
 */
import { compile, lint, sourceFile } from '@authgraph/engine/language';

/** Compiles a small configuration and discards the result. */
export const warmUp = (): void => {
  lint(compile({ source: sourceFile('warm-up.yaml', text), limits: 'warn' }));
};

const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimValidationRules:
  - expression: 'has(claims.hd) && claims.hd == "x" || claims.?n.orValue(1) < 2'
    message: a message
  claimMappings:
    username:
      expression: '"oidc:" + claims.sub'
    groups:
      expression: >-
        claims.roles.filter(r, r.startsWith("a"))
        .map(r, "oidc:" + r)
    extra:
    - key: example.org/tenant
      valueExpression: 'claims.tenant ? "a" : string(claims.n)'
  userValidationRules:
  - expression: "user.groups.all(g, !g.startsWith('system:'))"
`;
