/** `preview` evaluates each part of a configuration for a sample, also while it is being edited. */
import { expect, test } from 'vitest';
import type { ClaimSet } from '../../../engine/src/signed-token/payload.ts';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { preview, previewHeadline } from '../../../engine/src/simulate/preview/preview.ts';
import { seenValues } from '../../../engine/src/simulate/preview/seen-values.ts';
import { whoamiClaims } from '../../../engine/src/simulate/whoami/whoami-claims.ts';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';

const claimSet = (claims: object): ClaimSet => {
  const read = readClaims(new TextEncoder().encode(JSON.stringify(claims)));
  if (read === undefined) throw new Error('no claims');
  return read;
};

const jane = claimSet({
  iss: 'https://a.example',
  sub: 'jane',
  groups: ['dev', 'ops'],
  hd: 'corp.example',
});

/** Prints the headline, and for each part a line with path, outcome and `(not reached)`. */
const printPreview = (text: string, claims: ClaimSet = jane): string => {
  const result = preview(compileText(text), claims);
  const lines = [...result.parts.values()].map(({ path, outcome, reached }) => {
    const value =
      outcome.kind === 'value'
        ? JSON.stringify(outcome.value)
        : outcome.kind === 'failed'
          ? `${outcome.cause === 'false' ? 'false' : 'error'}: ${outcome.short}`
          : outcome.kind;
    return `${path} ${value}${reached ? '' : ' (not reached)'}`;
  });
  return [previewHeadline('jane', result), ...lines].join('\n');
};

const configuration = (entries: string): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n${entries}`;

const entryA = (more: string, mappings = ''): string => `
  - issuer:
      url: https://a.example
      audiences: [app]
    claimMappings:
      username: { claim: sub, prefix: 'oidc:' }
${mappings}
${more}
`;

const groups = `      groups: { expression: 'dyn(claims.groups).map(g, "oidc:" + g)' }`;

test('shows the value of every part', () => {
  expect(
    printPreview(
      configuration(
        entryA(
          `    claimValidationRules:
    - { claim: hd, requiredValue: corp.example }
    - { expression: 'has(claims.groups)', message: no groups }
    userValidationRules:
    - { expression: '!user.username.startsWith("system:")', message: reserved }`,
          `${groups}
      uid: { claim: sub }
      extra:
      - { key: example.com/tenant, valueExpression: claims.hd }`,
        ),
      ),
    ),
  ).toBe(`jane → oidc:jane · 3 groups
jwt[0].claimMappings.username "oidc:jane"
jwt[0].claimMappings.groups ["oidc:dev","oidc:ops"]
jwt[0].claimMappings.uid "jane"
jwt[0].claimMappings.extra[0] ["corp.example"]
jwt[0].claimValidationRules[0] passed
jwt[0].claimValidationRules[1] passed
jwt[0].userValidationRules[0] passed`);
});

test('marks the parts after the rejecting rule as not reached', () => {
  expect(
    printPreview(
      configuration(
        entryA(`    claimValidationRules:
    - { claim: hd, requiredValue: other.example }
    - { claim: tenant, requiredValue: x }
    - { expression: 'claims.admin == true', message: not admin }
    userValidationRules:
    - { expression: 'user.username == "oidc:jane"', message: not jane }`),
      ),
    ),
  ).toBe(`jane rejected by claimValidationRules[0]: required claim hd value does not match. Got = corp.example, want = other.example
jwt[0].claimMappings.username "oidc:jane"
jwt[0].claimValidationRules[0] error: required claim hd value does not match. Got = corp.example, want = other.example
jwt[0].claimValidationRules[1] error: required claim tenant not present in ID token (not reached)
jwt[0].claimValidationRules[2] error: no such key: admin (not reached)
jwt[0].userValidationRules[0] passed (not reached)`);
});

test('shows the message of a rule that is false, and the error of a rule that fails', () => {
  expect(
    printPreview(
      configuration(
        entryA(`    claimValidationRules:
    - { expression: 'claims.hd == "x.example"', message: wrong domain }
    - { expression: 'dyn(claims.groups).exists(g, g == claims.top)', message: no top }`),
      ),
    ),
  ).toBe(`jane rejected by claimValidationRules[1]: no such key: top
jwt[0].claimMappings.username "oidc:jane"
jwt[0].claimValidationRules[0] false: wrong domain
jwt[0].claimValidationRules[1] error: no such key: top`);
});

test('shows the expression of a rule without a message', () => {
  const result = printPreview(
    configuration(
      entryA(`    claimValidationRules:
    - { expression: 'claims.hd == "x"' }`),
    ),
  );
  expect(result.split('\n')[0]).toBe(
    'jane rejected by claimValidationRules[0]: claims.hd == "x" is false',
  );
});

test('evaluates valid parts although another part has an error', () => {
  const text = configuration(
    `${entryA(
      `    claimValidationRules:
    - { expression: 'claims.hd ==', message: half }
    - { expression: 'has(claims.hd)', message: no hd }`,
      groups,
    )}
  - issuer:
      url: https://b.example
      audiences: [app]
    claimMappings:
      username: { expression: claims.sub }`,
  );
  expect(printPreview(text)).toBe(`jane: jwt[0] has errors
jwt[0].claimMappings.username "oidc:jane"
jwt[0].claimMappings.groups ["oidc:dev","oidc:ops"]
jwt[0].claimValidationRules[0] unknown
jwt[0].claimValidationRules[1] passed`);
  expect(
    printPreview(text, claimSet({ iss: 'https://b.example', sub: 'bob' })),
  ).toBe(`jane → bob · 1 group
jwt[1].claimMappings.username "bob"`);
});

test('does not evaluate user rules if a mapping is invalid', () => {
  expect(
    printPreview(`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub }
  userValidationRules:
  - { expression: 'user.username != ""', message: empty }
`),
  ).toBe(`jane: jwt[0] has errors
jwt[0].claimMappings.username unknown
jwt[0].userValidationRules[0] unknown`);
});

test('reports an unknown issuer, and accepts claims without iss', () => {
  const text = configuration(entryA(''));
  expect(printPreview(text, claimSet({ iss: 'https://other.example', sub: 'jane' }))).toBe(
    'jane: no authenticator accepts its issuer',
  );
  expect(printPreview(text, claimSet({ sub: 'jane' }))).toBe(`jane → oidc:jane · 1 group
jwt[0].claimMappings.username "oidc:jane"`);
});

test('shows both entries of a duplicate issuer', () => {
  expect(printPreview(configuration(entryA('') + entryA('')))).toBe(`jane → oidc:jane · 1 group
jwt[0].claimMappings.username "oidc:jane"
jwt[1].claimMappings.username "oidc:jane"`);
});

test('evaluates user rules with the mapped user, also after a rejection', () => {
  expect(
    printPreview(
      configuration(
        entryA(
          `    claimValidationRules:
    - { claim: hd, requiredValue: x }
    userValidationRules:
    - { expression: '"oidc:dev" in user.groups', message: not dev }
    - { expression: 'user.extra["example.com/hd"][0] == "corp.example"', message: no hd }`,
          `${groups}
      extra:
      - { key: example.com/hd, valueExpression: claims.hd }`,
        ),
      ),
    )
      .split('\n')
      .slice(-2),
  ).toEqual([
    'jwt[0].userValidationRules[0] passed (not reached)',
    'jwt[0].userValidationRules[1] passed (not reached)',
  ]);
});

test('replaces line breaks and invisible characters in names and values', () => {
  const text = configuration(entryA(''));
  const result = preview(compileText(text), claimSet({ sub: 'a\u202eb\nc' }));
  expect(previewHeadline('x\ty', result)).toBe('x y → oidc:a\ufffdb c · 1 group');
});

test('reads claims that are named like members of Object.prototype', () => {
  const claims = JSON.parse('{"__proto__":"jane","constructor":"c"}');
  const text = configuration(`
  - issuer: { url: https://a.example, audiences: [app] }
    claimMappings:
      username: { claim: __proto__, prefix: '' }
      uid: { claim: constructor }`);
  expect(printPreview(text, claimSet(claims))).toBe(`jane → jane · 1 group
jwt[0].claimMappings.username "jane"
jwt[0].claimMappings.uid "c"`);
});

test('caches a preview until its entry is edited', () => {
  const text = configuration(`${entryA('')}
  - issuer: { url: https://b.example, audiences: [app] }
    claimMappings: { username: { claim: sub, prefix: '' } }`);
  const compiled = compileText(text);
  expect(preview(compiled, jane)).toBe(preview(compiled, jane));
  const edited = preview(compileText(text.replace("prefix: ''", "prefix: 'x'")), jane);
  expect(edited.entries[0]).toBe(preview(compiled, jane).entries[0]);
  const changed = preview(compileText(text.replace('oidc:', 'corp:')), jane);
  expect(changed.parts.get('jwt[0].claimMappings.username')?.outcome).toEqual({
    kind: 'value',
    value: 'corp:jane',
  });
});

test('has the decision of whoami', () => {
  const text = configuration(
    entryA(
      `    claimValidationRules:
    - { expression: 'claims.?admin.orValue(false) == true', message: not admin }`,
      groups,
    ),
  );
  const compilation = compileText(text);
  const { graph } = compilation;
  if (graph === undefined) throw new Error('does not compile');
  for (const claims of [
    jane,
    claimSet({ ...jane.claims, admin: true }),
    claimSet({ sub: 'x', admin: true }),
    claimSet({ iss: 'https://z.example' }),
  ]) {
    const { decision } = whoamiClaims(graph, claims, { mode: 'product', explain: false, now: 0 });
    expect(preview(compilation, claims).decision).toEqual(decision);
  }
});

test('shows values of the evaluated parts of an expression only', () => {
  const text = configuration(
    entryA(
      `    claimValidationRules:
    - { expression: 'claims.hd == "corp.example" || claims.sub == "x"', message: no }
    userValidationRules:
    - { expression: 'user.username.startsWith("oidc:")', message: no }`,
    ),
  );
  const compilation = compileText(text);
  const valuesAt = (path: string): readonly unknown[] | undefined => {
    const seen = seenValues(compilation, path, jane);
    return seen && [...seen.values()].map((one) => (one.kind === 'value' ? one.value : one));
  };
  const rule = valuesAt('jwt[0].claimValidationRules[0].expression');
  expect(rule).toContain('corp.example');
  expect(rule).toContain(true);
  expect(rule).not.toContain('jane');
  expect(valuesAt('jwt[0].userValidationRules[0].expression')).toContain('oidc:jane');
  expect(valuesAt('jwt[0].claimMappings.uid.expression')).toBeUndefined();
});

/** Recorded cases that are decided by the claims alone. */
const recorded = cases<{ readonly config?: string; readonly token?: string }>(
  'conformance/authenticate.jsonl',
).flatMap(({ id, input }) => {
  const payload = input.token?.split('.')[1];
  const compilation = compileText(input.config ?? '');
  const claims = payload === undefined ? undefined : readClaims(Buffer.from(payload, 'base64url'));
  const { graph } = compilation;
  return graph === undefined || claims === undefined ? [] : [{ id, compilation, graph, claims }];
});

test('has the decision of whoami for recorded tokens, and its message at the rejecting part', () => {
  expect(recorded.length).toBeGreaterThan(150);
  for (const { id, compilation, graph, claims } of recorded) {
    const { decision } = whoamiClaims(graph, claims, { mode: 'product', explain: false, now: 0 });
    const result = preview(compilation, claims);
    expect([id, result.decision]).toEqual([id, decision]);
    const rejecting = [...result.parts.values()].filter(
      ({ outcome, reached }) => reached && outcome.kind === 'failed',
    );
    if (decision.kind !== 'rejected') expect([id, rejecting]).toEqual([id, []]);
    else {
      const { at, message } = decision.reason;
      const part = rejecting.find(({ path }) => path === at);
      expect([id, part?.outcome]).toMatchObject([id, { kind: 'failed', message }]);
    }
  }
});

test('accepts an issuer without its scheme for Google only', () => {
  const text = configuration(
    entryA('').replaceAll('https://a.example', 'https://accounts.google.com'),
  );
  const read = preview(compileText(text), claimSet({ iss: 'accounts.google.com', sub: 'jane' }));
  expect(previewHeadline('jane', read)).toContain('oidc:jane');
  const other = preview(compileText(configuration(entryA(''))), claimSet({ iss: 'a.example' }));
  expect(previewHeadline('jane', other)).not.toContain('oidc:');
});
