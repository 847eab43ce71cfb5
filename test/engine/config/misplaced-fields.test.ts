/** Fields in the wrong section: what is reported, and the field path of each diagnostic. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { processorMs } from '../../support/processor-time.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const diagnose = (text: string) => {
  const compilation = compile({ source: sourceFile('a.yaml', text) });
  return [...compilation.diagnostics, ...lint(compilation)];
};

test('a section that is indented too far is the only problem, and its fix dedents all of it', () => {
  const text = `${head}jwt:
- issuer:
    url: https://a.example
    audiences: [app]
    claimMappings:
      username:
        # The subject is stable.
        claim: sub
        prefix: "a:"
      uid:
        expression: |
          claims.sub
    userValidationRules:
    - expression: user.username != 'x'
  claimValidationRules: []
`;
  const found = diagnose(text);
  expect(found.map(({ code, path, consequenceOf }) => [code, path, consequenceOf?.path])).toEqual([
    ['AG1008', 'jwt[0].issuer.claimMappings', undefined],
    ['AG1008', 'jwt[0].issuer.userValidationRules', 'jwt[0].issuer.claimMappings'],
  ]);
  expect(found[0]?.help).toBe(
    '`claimMappings` belongs in `jwt[0]`, next to `issuer`: it is indented too far.',
  );
  expect(applyEdits(text, found[0]?.fixes[0]?.edits ?? [])).toBe(`${head}jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username:
      # The subject is stable.
      claim: sub
      prefix: "a:"
    uid:
      expression: |
        claims.sub
  userValidationRules:
  - expression: user.username != 'x'
  claimValidationRules: []
`);
  // kube-apiserver's own error stays as it is.
  const { report } = compile({ source: sourceFile('a.yaml', text) });
  expect(report.strictErrors).toEqual([
    'unknown field "jwt[0].issuer.claimMappings"',
    'unknown field "jwt[0].issuer.userValidationRules"',
  ]);
});

describe('help', () => {
  const entry = (lines: string): string =>
    `${head}jwt:\n- issuer:\n    url: https://a.example\n    audiences: [app]\n${lines}`;
  const mappings = "  claimMappings:\n    username: {claim: sub, prefix: 'a:'}\n";
  test.each([
    [
      'a section below the wrong one',
      entry(`    uid: {claim: sub}\n${mappings}`),
      '`uid` belongs in `claimMappings`.',
    ],
    [
      'a section that is already in the right place, too',
      entry(`    claimMappings: {}\n${mappings}`),
      'Remove it; no field of this section has a similar name.',
    ],
    [
      'the top level',
      entry(`${mappings}  anonymous: {enabled: true}\n`),
      '`anonymous` belongs at the top level of the file: move it there.',
    ],
    [
      'an ambiguous name',
      entry(`${mappings}  prefix: 'a:'\n`),
      'Remove it; no field of this section has a similar name.',
    ],
    [
      'a value that the field cannot have',
      entry(`    claimMappings: none\n${mappings}`),
      'Remove it; no field of this section has a similar name.',
    ],
  ])('%s', (_, text, help) => {
    const found = diagnose(text).filter(({ code }) => code === 'AG1008');
    expect(found.map((one) => one.help)).toEqual([help]);
  });
});

describe('the path', () => {
  test.each([
    [
      'of a lint',
      "jwt:\n- issuer: {url: https://a.example, audiences: [a]}\n  claimMappings:\n    username: {claim: sub, prefix: ''}\n",
      ['jwt[0].claimMappings.username.claim'],
    ],
    ['of a wrong type', 'anonymous: {enabled: "yes"}\n', ['anonymous.enabled']],
    [
      'of an item',
      'jwt:\n- issuer: {url: https://a.example, audiences: [a, 1]}\n  claimMappings: {username: {claim: sub, prefix: "a:"}}\n',
      ['jwt[0].issuer.audienceMatchPolicy', 'jwt[0].issuer.audiences[1]'],
    ],
    [
      'of a missing field',
      'jwt:\n- issuer: {url: https://a.example}\n  claimMappings: {username: {claim: sub, prefix: "a:"}}\n',
      ['jwt[0].issuer.audiences'],
    ],
    ['of a key that is no name', '"a\\nb": 1\n', ['"a\\nb"']],
    [
      'of a key that is a token',
      `eyJhbGciOiJub25lIn0.${'a'.repeat(20)}.${'b'.repeat(20)}: 1\n`,
      ['[redacted]'],
    ],
    ['in a text that cannot be parsed', 'jwt: [\n', [undefined]],
  ])('%s', (_, text, paths) => {
    expect(diagnose(head + text).map(({ path }) => path)).toEqual(paths);
  });
  test('follows an entry that moves', () => {
    const one = (host: string): string =>
      `- issuer: {url: http://${host}.example, audiences: [a]}\n  claimMappings: {username: {claim: sub, prefix: "a:"}}\n`;
    const before = compile({ source: sourceFile('a.yaml', `${head}jwt:\n${one('b')}`) });
    const source = sourceFile('a.yaml', `${head}jwt:\n${one('a')}${one('b')}`);
    const { diagnostics } = compile({ source, previous: before });
    expect(diagnostics.map(({ path }) => path)).toEqual(['jwt[0].issuer.url', 'jwt[1].issuer.url']);
  });
});

test('advice about a mapping with an error waits until the error is fixed', () => {
  const text = (prefix: string): string =>
    `${head}jwt:\n- issuer: {url: https://a.example, audiences: [a]}\n  claimMappings:\n    username: {claim: sub, ${prefix}: ''}\n`;
  expect(diagnose(text('prefix')).map(({ code }) => code)).toEqual(['AG4010']);
  expect(diagnose(text('prefx')).map(({ code }) => code)).toEqual(['AG1008']);
});

test('many misplaced fields take linear time', () => {
  const of = (count: number): string =>
    `${head}jwt:\n- issuer:\n${Array.from({ length: count }, (_, at) => `    x${at}: {}\n    claimMappings: {}\n`).join('')}`;
  const [short, long] = [of(2_000), of(20_000)];
  diagnose(short);
  const reference = processorMs(() => diagnose(short), 2_000);
  expect(processorMs(() => diagnose(long), 20_000)).toBeLessThan(40 * reference + 200);
});
