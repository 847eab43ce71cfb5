/**
 * The cost limit of all expressions of one token, which is counted exactly if it may be exceeded.
 */
import { describe, expect, test } from 'vitest';
import { linkMapping, memoizedPlan } from '../../../engine/src/authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../../engine/src/authenticators/jwt/map-claims.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { newestRelease } from '../../../engine/src/model/release.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const count = 40;

/** Each costs about 3,000 units plus a tenth of 100 times the string's size. */
const dear = (index: number): string =>
  `lists.range(100).all(i, ('x' + claims.a).startsWith('x')) ? '${index}' : ''`;

const nodeOf = () => {
  const extra = Array.from(
    { length: count },
    (_, index) => `    - key: example.org/${index}\n      valueExpression: "${dear(index)}"\n`,
  ).join('');
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [a]
  claimMappings:
    username:
      claim: sub
      prefix: ""
    extra:
${extra}`;
  const { graph, diagnostics } = compile({
    source: sourceFile('authentication.yaml', text),
    settings: settingsFor(newestRelease),
  });
  const [node] = graph?.nodes ?? [];
  if (node === undefined) throw new Error(JSON.stringify(diagnostics));
  return node;
};

describe('the cost of the expressions of one token', () => {
  const mapping = linkMapping(nodeOf(), memoizedPlan());
  const answer = (a: string, mode: 'product' | 'exact') => {
    const claims = { sub: 'jane', a };
    const options = { mode, credentialIdKey: 'example.org/id' };
    const outcome = mapClaims(mapping, { claims, unreadable: new Map() }, options);
    return outcome.kind === 'rejected' ? outcome.message : outcome.user.extra.size;
  };
  // 40 times 100 times a tenth of the size: 10,000,000 units are 25,000 characters.
  const tooMuch = 'oidc: refused: the expressions exceed the cost limit of a token';

  test('may be high', () => {
    expect(answer('a'.repeat(24_000), 'product')).toBe(count);
  });

  test('is limited', () => {
    expect(answer('a'.repeat(25_000), 'product')).toBe(tooMuch);
    expect(answer('a'.repeat(25_000), 'exact')).toBe(count);
  });

  test('is counted by code points', () => {
    // Counted in UTF-16 units they would exceed the limit.
    expect(answer('\u{1f600}'.repeat(24_000), 'product')).toBe(count);
    expect(answer('\u{1f600}'.repeat(25_000), 'product')).toBe(tooMuch);
  });
});
