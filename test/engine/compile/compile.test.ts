/**
 * Compilation of a text to a graph: what the result holds, and what the next compilation reuses.
 */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings, settingsFor } from '../../../engine/src/compile/settings.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { compileText } from '../../support/compile-text.ts';

const text = `apiVersion: apiserver.config.platform.io/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    discoveryURL: https://keys.example/doc
    audiences: [app, web]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - claim: hd
    requiredValue: example.com
  - expression: claims.x == "1"
    message: x must be 1
  - claim: nonce
  claimMappings:
    username:
      expression: '"a:" + claims.sub'
    groups: {claim: groups, prefix: ""}
    uid: {claim: uid}
    extra:
    - {key: example.com/t, valueExpression: claims.t}
  userValidationRules:
  - expression: user.username != ""
- issuer: {url: https://b.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "b:"}
    groups: {}
    uid: {expression: claims.sub}
anonymous:
  enabled: true
  conditions: [{path: /livez}, {path: /readyz}]
`;

const graphOf = (source: string, options = {}) => {
  const { graph, diagnostics } = compileText(source, options);
  expect(diagnostics).toEqual([]);
  if (graph === undefined) throw new Error('no graph');
  return graph;
};

describe('the graph', () => {
  test('contains the values of the file', () => {
    const graph = graphOf(text);
    const [first, second] = graph.nodes;
    expect(graph.apiDomain).toBe('platform.io');
    expect(first).toMatchObject({
      module: 'jwt',
      id: 'jwt[0]',
      issuerUrl: 'https://a.example',
      discoveryUrl: 'https://keys.example/doc',
      certificateAuthority: undefined,
      audiences: ['app', 'web'],
      username: { kind: 'expression', expression: { text: '"a:" + claims.sub' } },
      groups: { kind: 'claim', claim: 'groups', prefix: '' },
      uid: { kind: 'claim', claim: 'uid' },
      extra: [{ key: 'example.com/t', expression: { text: 'claims.t' } }],
      userValidationRules: [{ expression: { text: 'user.username != ""' }, message: '' }],
    });
    expect(first?.claimValidationRules).toMatchObject([
      { kind: 'claim', claim: 'hd', requiredValue: 'example.com' },
      { kind: 'expression', expression: { text: 'claims.x == "1"' }, message: 'x must be 1' },
      { kind: 'claim', claim: 'nonce', requiredValue: '' },
    ]);
    expect(second).toMatchObject({
      id: 'jwt[1]',
      username: { kind: 'claim', claim: 'sub', prefix: 'b:' },
      groups: undefined,
      uid: { kind: 'expression', expression: { text: 'claims.sub' } },
      extra: [],
    });
    expect(graph.anonymous).toEqual({
      module: 'anonymous',
      enabled: true,
      paths: ['/livez', '/readyz'],
      fromFile: true,
    });
  });

  test('is plain data, and equal for the same text', () => {
    const graph = graphOf(text);
    expect(JSON.parse(JSON.stringify(graph))).toEqual(JSON.parse(JSON.stringify(graphOf(text))));
  });

  test('allows all nine algorithms unless the settings restrict them', () => {
    expect(graphOf(text).nodes[0]?.signingAlgorithms).toEqual([
      'ES256',
      'ES384',
      'ES512',
      'PS256',
      'PS384',
      'PS512',
      'RS256',
      'RS384',
      'RS512',
    ]);
    const graph = graphOf(text, { signingAlgorithms: ['RS256'] });
    expect(graph.nodes[0]?.signingAlgorithms).toEqual(['RS256']);
  });

  test('applies the anonymous flag if the file has no section', () => {
    const bare = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
    expect(graphOf(bare).anonymous).toEqual({
      module: 'anonymous',
      enabled: true,
      paths: undefined,
      fromFile: false,
    });
    expect(graphOf(bare, { anonymousAuth: false }).anonymous.enabled).toBe(false);
    const section = `${bare}anonymous: {enabled: true}\n`;
    expect(graphOf(section).anonymous).toMatchObject({ paths: undefined, fromFile: true });
  });
});

describe('domains and versions', () => {
  const of = (apiVersion: string) =>
    `apiVersion: ${apiVersion}\nkind: AuthenticationConfiguration\n`;

  test.each(['v1alpha1', 'v1beta1', 'v1', '__internal'])('%s', (version) => {
    for (const domain of ['k8s.io', 'platform.io']) {
      expect(graphOf(of(`apiserver.config.${domain}/${version}`)).apiDomain).toBe(domain);
    }
  });

  test('the internal version has its own field names', () => {
    const internal = `${of('apiserver.config.k8s.io/__internal')}JWT:\n- Issuer: {URL: https://a, Audiences: [a]}\n  ClaimMappings: {Username: {Claim: sub, Prefix: ""}}\n`;
    expect(graphOf(internal).nodes[0]?.issuerUrl).toBe('https://a');
    const mixed = internal.replace('JWT', 'jwt');
    expect(compileText(mixed).report.strictErrors).toEqual(['unknown field "jwt"']);
  });

  test('in exact mode only the Kubernetes domain and the configured one are known', () => {
    const neutral = of('apiserver.config.platform.io/v1');
    expect(compileText(neutral, { exact: true }).report.ok).toBe(false);
    expect(compileText(neutral, { exact: true, apiDomain: 'platform.io' }).report.ok).toBe(true);
  });
});

describe('compilation with a previous compilation', () => {
  const compileNext = (next: string, previous?: ReturnType<typeof compile>) =>
    compile({ source: sourceFile('x.yaml', next), settings: defaultSettings, previous });

  test('reuses expressions that did not change', () => {
    const first = compileNext(text);
    const second = compileNext(text.replace('claims.t}', 'claims.u}'), first);
    const at = (path: string) => [
      first.expressions.get(path)?.compilation,
      second.expressions.get(path)?.compilation,
    ];
    const [same, stillSame] = at('jwt[0].claimMappings.username.expression');
    expect(stillSame).toBe(same);
    const [old, changed] = at('jwt[0].claimMappings.extra[0].valueExpression');
    expect(changed?.checked.parsed.text).toBe('claims.u');
    expect(changed).not.toBe(old);
  });

  test('compiles again for another release', () => {
    const first = compileNext(text);
    const path = 'jwt[0].claimMappings.username.expression';
    const older = compile({
      source: sourceFile('x.yaml', text),
      settings: settingsFor(30),
      previous: first,
    });
    expect(older.expressions.get(path)?.compilation).not.toBe(
      first.expressions.get(path)?.compilation,
    );
  });

  test('records the positions of all parts', () => {
    const { origins } = compileText(text);
    for (const [path, at] of [
      ['jwt[0].issuer.url', 'https://a.example'],
      ['jwt[0].issuer.audiences[1]', 'web'],
      ['jwt[0].claimValidationRules[1].expression', 'claims.x == "1"'],
      ['jwt[0].claimMappings.groups.claim', 'groups'],
      ['jwt[0].claimMappings.extra[0].key', 'example.com/t'],
      ['jwt[1].claimMappings.username.prefix', '"b:"'],
      ['anonymous.conditions[1].path', '/readyz'],
    ] as const) {
      const span = origins.get(path);
      expect(text.slice(span?.start, span?.end)).toBe(at);
    }
  });
});

test('an internal error has a value since 1.36', () => {
  const broken = text.replace('claims.x == "1"', 'bool("yes")');
  const badValue = (release: 35 | 36) => {
    const { report } = compileText(broken, settingsFor(release));
    return report.errors[0]?.badValue;
  };
  expect(badValue(35)).toBeNull();
  expect(badValue(36)).toBe(
    "program instantiation failed: type conversion error from 'string' to 'bool'",
  );
});

test('a key that every object inherits is an unknown field', () => {
  const hostile = `${text}__proto__: {anonymous: {enabled: true}}\nconstructor: 1\n`;
  expect(compileText(hostile).report.strictErrors).toEqual([
    'unknown field "__proto__"',
    'unknown field "constructor"',
  ]);
});
