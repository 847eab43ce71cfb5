import { describe, expect, test } from 'vitest';
import type { TraceStep } from '../../../engine/src/model/trace.ts';
import { keySetOf } from '../../../engine/src/node/mint.ts';
import {
  type AuthenticateQuestion,
  answerAuthenticate,
} from '../../support/answer-authenticate.ts';
import { testIssuer } from '../../support/test-issuer.ts';

const entry = {
  issuer: { url: 'https://issuer.example.com', audiences: ['app'] },
  claimMappings: {
    username: { expression: "'oidc:' + claims.sub" },
    groups: { claim: 'groups', prefix: '' },
  },
  claimValidationRules: [{ claim: 'hd', requiredValue: 'x' }],
  userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'no' }],
};

const stepsFor = async (claims: Record<string, unknown>) => {
  const issuer = await testIssuer();
  const token = await issuer.token(claims);
  const input: AuthenticateQuestion = {
    config: JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [entry],
    }),
    now: '2023-11-14T22:13:20Z',
    token,
    jwks: keySetOf(issuer.keys),
  };
  const steps: TraceStep[] = [];
  await answerAuthenticate(input, 'product', {
    trace: { step: (step) => steps.push(step) },
  });
  return { steps, token };
};

const summary = (steps: readonly TraceStep[]) =>
  steps.map(({ at, what, outcome }) => `${at} ${what}: ${outcome}`);

describe('the trace of a token', () => {
  test('contains every step to the user', async () => {
    const { steps } = await stepsFor({ hd: 'x', groups: ['dev'] });
    expect(summary(steps)).toEqual([
      'jwt[0] issuer: passed',
      'jwt[0] header: passed',
      'jwt[0] signature: passed',
      'jwt[0] audience: passed',
      'jwt[0] expiry: passed',
      'jwt[0].claimMappings.username expression: value',
      'jwt[0].claimMappings.username mapping: value',
      'jwt[0].claimMappings.groups mapping: value',
      'jwt[0].claimValidationRules[0] required claim: passed',
      'jwt[0].userValidationRules[0] expression: value',
      'jwt[0].userValidationRules[0] user validation rule: passed',
    ]);
    expect(steps[5]?.values).toEqual([{ expression: 'claims.sub', value: '"jane"' }]);
    expect(steps[6]?.value).toBe('oidc:jane');
  });
  test.each<[Record<string, unknown>, string]>([
    [{ iss: 'https://other' }, 'jwt[0] issuer: skipped'],
    [{ exp: 1 }, 'jwt[0] expiry: failed'],
    [{ aud: 'x' }, 'jwt[0] audience: failed'],
    [{ sub: undefined }, 'jwt[0].claimMappings.username result: failed'],
    [{ hd: 'y' }, 'jwt[0].claimValidationRules[0] result: failed'],
  ])('ends at the rejection: %j', async (claims, last) => {
    const { steps } = await stepsFor({ hd: 'x', ...claims });
    expect(summary(steps).at(-1)).toBe(last);
  });
  test('never contains the token', async () => {
    const { steps, token } = await stepsFor({ hd: 'x' });
    const text = JSON.stringify(steps);
    for (const part of token.split('.')) expect(text).not.toContain(part);
  });
});
