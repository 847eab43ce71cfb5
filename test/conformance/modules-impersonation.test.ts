/** Impersonation, as recorded: every question to the authorizer, every answer, to the letter. */
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

test('all of them are here', () => {
  expect(recorded.length).toBe(98);
});

test.each(recorded.filter(isReachable))('$id', async ({ expect: answer, ...line }) => {
  expect(await answerImpersonation(line)).toEqual(answer);
});
