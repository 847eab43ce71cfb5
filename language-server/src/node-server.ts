/** The server with Node's files and threads, over stdio, a pipe or IPC. */
import { compile, lint, sourceFile } from '@authgraph/engine/language';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { nodeAnalysis } from './node-analysis.ts';
import { nodeFiles } from './node-files.ts';
import { startServer } from './server.ts';

/**
 * Starts the server on the transport given by the process arguments. `main` is the program that
 * analysis threads run.
 */
export const startNodeServer = (main: URL): void => {
  startServer(createConnection(ProposedFeatures.all), {
    files: nodeFiles,
    analyze: nodeAnalysis(main),
    now: () => Date.now(),
    issuers: async () => (await import('./node-issuers.ts')).nodeIssuers(),
  });
  // Messages are queued until this is done.
  warmUp();
};

/**
 * Warms up the compiler's caches (tokens, grammar, functions) before the first file is opened.
 * Editors open a file shortly after they start the server, so the first diagnostics arrive sooner.
 */
const warmUp = (): void => {
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
