/** `nearestMessages` finds messages that an unknown text may be, and `patternText` shows patterns as messages. */
import { expect, test } from 'vitest';
import { stagePatterns } from '../../../engine/src/simulate/explain/explain-module.ts';
import { topPatterns } from '../../../engine/src/simulate/explain/message-patterns.ts';
import { nearestMessages } from '../../../engine/src/simulate/explain/nearest-messages.ts';
import { patternText } from '../../../engine/src/simulate/explain/pattern-text.ts';
import {
  distributedPatterns,
  verificationPatterns,
} from '../../../engine/src/simulate/explain/token-patterns.ts';

const patterns = [
  ...verificationPatterns,
  ...distributedPatterns,
  ...topPatterns,
  ...stagePatterns,
].map(({ pattern }) => [pattern.source, pattern] as const);

test.each(patterns)('the text of a pattern is an example of it: %s', (_, pattern) => {
  const text = patternText(pattern);
  expect(text).not.toBe('');
  expect(pattern.test(text.replaceAll('…', '1')), text).toBe(true);
});

test.each([
  ['token is expired', 'oidc: verify token: oidc: token is expired (Token Expiry: …)'],
  ['service account token expired', 'service account token has expired'],
  [
    'error evaluating claim validation expression',
    'oidc: error evaluating claim validation expression: …',
  ],
  [
    'cannot set the feature gate Foo to true',
    'cannot set feature gate … to true, feature is locked to …',
  ],
])('%s', (text, nearest) => {
  const found = nearestMessages(text);
  expect(found[0]).toBe(nearest);
  expect(found.length).toBeLessThanOrEqual(3);
});

test.each([
  '',
  'hello',
  'connection refused',
  'the kubelet is not healthy',
  'failed to pull image nginx: not found',
  'etcdserver: request timed out',
])('nothing is near %j', (text) => expect(nearestMessages(text)).toEqual([]));
