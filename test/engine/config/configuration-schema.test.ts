/** The JSON schema accepts what kube-apiserver accepts. */
import { expect, test } from 'vitest';
import { jsonText } from '../../../engine/src/documents/yaml/json-text.ts';
import { parseDocument } from '../../../engine/src/documents/yaml/parse.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { cases } from '../../support/cases.ts';
import { schemaErrors } from '../../support/json-schema.ts';

const errorsOf = (text: string): readonly string[] => {
  const { data } = parseDocument(sourceFile('auth.yaml', text), { limits: 'none' });
  const json = data === undefined ? undefined : jsonText(data, 10_000_000);
  return json === undefined
    ? ['no data']
    : schemaErrors('authenticationconfiguration', JSON.parse(json));
};

const accepted = cases<{ readonly config: string }, { readonly ok?: boolean }>(
  'conformance/config-validation.jsonl',
).filter(({ expected, input }) => expected.ok === true && !input.config.includes('__internal'));

test('there are accepted configurations', () => {
  expect(accepted.length).toBeGreaterThan(100);
});

test.each(accepted)('$id is valid', ({ input }) => {
  expect(errorsOf(input.config)).toEqual([]);
});

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';

test.each([
  [
    'a misspelled field',
    `${head}jwt:\n- issuer: {url: https://a.example, audience: [a]}\n`,
    'audience',
  ],
  ['another kind', head.replace('kind: A', 'kind: B'), 'kind'],
  ['a missing issuer', `${head}jwt:\n- claimMappings: {username: {claim: a}}\n`, 'lacks issuer'],
  ['http', `${head}jwt:\n- issuer: {url: http://a.example, audiences: [a]}\n`, 'does not match'],
  [
    'claim and expression',
    `${head}jwt:\n- issuer: {url: https://a.example, audiences: [a]}\n  claimMappings: {username: {claim: a, expression: b}}\n`,
    'must not have',
  ],
])('%s is invalid', (_, text, reason) => {
  expect(errorsOf(text).join('\n')).toContain(reason);
});
