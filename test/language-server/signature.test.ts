/** The signature check affects lenses, whoami, the graph and changes alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver';
import {
  type ChangeReport,
  changeRequest,
  type GraphAnswer,
  graphRequest,
  type WhoamiReport,
  type WhoamiRow,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "${prefix}" } }
  claimValidationRules:
  - { claim: hd, requiredValue: corp.example }
`;
const mismatch = 'signature does not match keys.jwks.json';
const serverText =
  'oidc: verify token: failed to verify signature: failed to verify id token signature';

let client: LanguageClient;
const ids = new Map<string, string>();
const ask = <Answer>(method: string, params: object): Promise<Answer> =>
  client.connection.sendRequest<Answer>(method, { uri, ...params });
const rowOf = async (name: string, params: object = {}): Promise<WhoamiRow | undefined> => {
  const samples = [ids.get(name)];
  return (await ask<WhoamiReport>(whoamiRequest, { samples, ...params })).rows[0];
};

beforeAll(async () => {
  client = await languageClient();
  await client.open(uri, configuration('a:'));
  const samples = [
    ['unfit', { iss: 'https://a.example', hd: 'corp.example' }, mismatch],
    ['unfit-and-refused', { iss: 'https://a.example' }, mismatch],
    ['unfit-and-other-issuer', { iss: 'https://b.example' }, mismatch],
    ['checked', { iss: 'https://a.example', hd: 'corp.example' }, 'signature checked with k'],
    ['unchecked', { iss: 'https://a.example', hd: 'corp.example' }, 'signature not checked'],
  ] as const;
  for (const [name, claims, signature] of samples) {
    const valid = { sub: name, aud: 'app', exp: 4_102_444_800 };
    const sample = { name, signature, claims: JSON.stringify({ ...valid, ...claims }) };
    ids.set(name, await client.connection.sendRequest('authgraph/memorySample', sample));
  }
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.close();
});

describe('a token with an invalid signature', () => {
  const headline = 'unfit rejected: signature does not match';
  test('is rejected in the lens', async () => {
    await ask('authgraph/chooseSample', { id: ids.get('unfit') });
    const lenses = await ask<readonly CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri },
    });
    expect(lenses.map(({ command }) => command?.title)).toContain(`✗ ${headline}`);
  });
  test('is rejected by whoami, which shows the user of the claims alone', async () => {
    const row = await rowOf('unfit', { as: { username: 'bob' } });
    expect(row).toMatchObject({
      verdict: 'rejected',
      headline,
      reason: 'signature does not match',
      code: 'AG5006',
      message: serverText,
      refusal: `kube-apiserver would reject this token: ${mismatch}.`,
      user: { username: 'a:unfit' },
      whyNot: [],
    });
    expect(row).not.toHaveProperty('acting');
    expect(row?.yaml).toMatch(
      /^# kube-apiserver would reject this token: signature does not match keys\.jwks\.json\.\n# The claims alone map to:\n[\s\S]*kind: SelfSubjectReview\n/,
    );
  });
  test('has no accepted change even if its claims are rejected as well', async () => {
    expect(await rowOf('unfit-and-refused')).toMatchObject({
      verdict: 'rejected',
      headline: 'unfit-and-refused rejected: signature does not match',
      code: 'AG5006',
      whyNot: [],
    });
  });
  test('ends at the keys of its issuer in the graph', async () => {
    const { pictures } = await ask<GraphAnswer>(graphRequest, { sample: ids.get('unfit') });
    const [{ text, svg, mermaid } = { text: '', svg: '', mermaid: '' }] = pictures;
    expect(text.split('\n')[0]).toBe(headline);
    expect(text).toMatch(/✗ jwt\[0\]\.issuer: .* ← signature does not match\n/);
    expect(text).toContain('· jwt[0].claimMappings.username:');
    expect(svg).toMatch(/class="node failed" data-node="jwt\[0\]\.user"/);
    expect(mermaid).toMatch(/class jwt0_0 failed/);
  });
  test('is rejected before and after a change', async () => {
    const { rows } = await ask<ChangeReport>(changeRequest, { against: configuration('old:') });
    const row = rows.find(({ sample }) => sample.id === ids.get('unfit'));
    expect(row).toMatchObject({ kind: 'same', before: headline, after: headline });
    expect(row?.afterYaml).toContain('code: 401');
  });
  test('is not checked if no authenticator accepts the issuer', async () => {
    const row = await rowOf('unfit-and-other-issuer');
    expect(row?.verdict).toBe('noOpinion');
    expect(row).not.toHaveProperty('refusal');
  });
});

test.each([
  ['checked', 'accepted', 'passed', 'checked with k'],
  ['unchecked', 'accepted', 'skipped', 'not checked'],
  ['unfit', 'rejected', 'failed', 'does not match keys.jwks.json'],
])('shows the signature step of a sample that is %s', async (name, verdict, outcome, detail) => {
  const row = await rowOf(name);
  expect(row?.verdict).toBe(verdict);
  expect(row?.steps.find(({ what }) => what === 'signature')).toMatchObject({ outcome, detail });
});
