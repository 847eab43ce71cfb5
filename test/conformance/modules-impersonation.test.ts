/**
 * Recorded results of impersonation: every query to the authorizer and every response, byte for
 * byte.
 */
import { expect, test } from 'vitest';
import {
  answerImpersonation,
  type ImpersonationCase,
  isReachable,
} from '../support/answer-modules/impersonation.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const recorded = moduleCases<ImpersonationCase['config'], ImpersonationCase['input']>(
  'impersonation',
);

test('has all recorded cases', () => {
  expect(recorded.length).toBe(98);
});

test.each(recorded.filter(isReachable))('$id', async ({ expect: answer, ...line }) => {
  expect(await answerImpersonation(line)).toEqual(answer);
});
