/** `explainLog` reports the place of the mapping or rule that rejects the token. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { explainLog } from '../../../engine/src/simulate/explain/explain-log.ts';
import { whoamiClaims } from '../../../engine/src/simulate/whoami/whoami-claims.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { cases } from '../../support/cases.ts';

interface CaseInput {
  readonly config?: string;
  readonly token?: string;
  readonly now?: string;
}

/** Recorded rejections that can be reproduced from the claims alone. */
const rejections = cases<CaseInput>('conformance/authenticate.jsonl').flatMap(
  ({ id, input, expected }) => {
    const { error } = expected;
    const payload = input.token?.split('.')[1];
    if (
      typeof error !== 'string' ||
      payload === undefined ||
      /^oidc: (?:verify|authent|could)/.test(error)
    )
      return [];
    const compilation = compile({
      source: sourceFile('a.yaml', input.config ?? ''),
      settings: { ...defaultSettings, exact: true },
    });
    const claims = readClaims(Buffer.from(payload, 'base64url'));
    const { graph } = compilation;
    if (graph === undefined || claims === undefined) return [];
    const now = Date.parse(input.now ?? '');
    const { decision } = whoamiClaims(graph, claims, { mode: 'exact', explain: false, now });
    return [{ id, error, compilation, decision }];
  },
);

test('there are more than 60 rejections', () => {
  expect(rejections.length).toBeGreaterThan(60);
});

describe.each(rejections.map((one) => [one.id, one] as const))('%s', (_, one) => {
  const { error, compilation, decision } = one;
  test('has the recorded message', () => {
    expect(decision.kind === 'rejected' && decision.reason.message).toBe(error);
  });
  test('has the place that explainLog reports', () => {
    const at = decision.kind === 'rejected' ? decision.reason.at : undefined;
    const [message] = explainLog(error, compilation).messages;
    expect(message?.places.map(({ path }) => path)).toContain(at);
    expect(message?.explanation.rejection?.code).toBe(
      decision.kind === 'rejected' ? decision.reason.code : '',
    );
  });
});

describe('the URL of a failed request identifies the issuer', () => {
  const entry = (issuer: string) =>
    `- issuer: {${issuer}, audiences: [a]}\n  claimMappings: {username: {claim: sub, prefix: "a:"}}\n`;
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
${entry('url: https://a.example/x')}${entry('url: https://a.example/xy')}${entry(
  'url: https://b.example, discoveryURL: https://c.example/d',
)}`;
  const compilation = compile({ source: sourceFile('a.yaml', text) });
  test.each([
    ['https://a.example/x/.well-known/openid-configuration', ['jwt[0].issuer.url']],
    ['https://a.example/xy/.well-known/openid-configuration', ['jwt[1].issuer.url']],
    ['https://c.example/d', ['jwt[2].issuer.url']],
    ['https://keys.example', [0, 1, 2].map((index) => `jwt[${index}].issuer.url`)],
  ])('%s', (url, paths) => {
    const line = `oidc authenticator: initializing plugin: Get "${url}": dial tcp: no such host`;
    const [message] = explainLog(line, compilation).messages;
    expect(message?.places.map(({ path }) => path)).toEqual(paths);
  });
});
