/** Descriptions and drawings contain the modules of flags in the order in which they are called. */
import { expect, test } from 'vitest';
import { accountTokenRules } from '../../../engine/src/authenticators/service-account-token/token-rules.ts';
import {
  explainGraph,
  graphDot,
  graphMermaid,
  graphText,
} from '../../../engine/src/compile/explain.ts';
import type { AuthenticatorGraph } from '../../../engine/src/compile/graph.ts';

const bare: AuthenticatorGraph = {
  apiDomain: 'k8s.io',
  targetRelease: 36,
  nodes: [],
  anonymous: { module: 'anonymous', enabled: true, paths: undefined, fromFile: false },
};

const whole: AuthenticatorGraph = {
  ...bare,
  authenticatingProxy: {
    module: 'authenticating-proxy',
    caFile: 'proxies.crt',
    allowedNames: ['front'],
    headers: { username: ['X-Remote-User'], uid: [], groups: [], extraPrefixes: [] },
  },
  clientCertificate: {
    module: 'client-certificate',
    caFile: 'clients.crt',
    readsUid: true,
    credentialIdKey: 'authentication.kubernetes.io/credential-id',
  },
  staticToken: { module: 'static-token', file: 'tokens.csv', users: [] },
  legacyServiceAccountToken: {
    module: 'legacy-service-account-token',
    apiAudiences: ['a'],
    keyIds: ['k'],
    lookup: true,
  },
  serviceAccountToken: {
    module: 'service-account-token',
    issuers: ['https://a.example'],
    apiAudiences: ['a'],
    keyIds: ['k'],
    rules: accountTokenRules(new Map()),
  },
  bootstrapToken: {
    module: 'bootstrap-token',
    namespace: 'kube-system',
    secretTypes: ['bootstrap.kubernetes.io/token'],
  },
  webhookToken: {
    module: 'webhook-token',
    file: 'hook.yaml',
    url: 'https://hook.example/?timeout=30s',
    version: 'v1',
    apiDomain: 'k8s.io',
    cacheTtlMs: 120_000,
    apiAudiences: [],
    credential: 'none',
    trust: 'system roots',
  },
};

const inOrder = [
  'authenticating-proxy',
  'client-certificate',
  'static-token',
  'legacy-service-account-token',
  'service-account-token',
  'bootstrap-token',
  'webhook-token',
  'anonymous',
];

test('sentences contain the modules in order', () => {
  expect(explainGraph(whole).map(({ path }) => path)).toEqual(inOrder);
  expect(explainGraph(bare).map(({ path }) => path)).toEqual(['anonymous']);
  for (const path of inOrder) expect(graphText(whole)).toContain(`\n${path}: `);
});

test.each([
  ['Mermaid', graphMermaid],
  ['DOT', graphDot],
])('%s contains the modules in order', (_name, draw) => {
  const places = inOrder
    .slice(0, -1)
    .map((path) => draw(whole).indexOf(`module_${path.replaceAll('-', '_')}`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(draw(bare)).not.toContain('module_');
});
