/** Recorded results of requests without a credential. */
import { expect, test } from 'vitest';
import { type AnonymousCase, answerAnonymous } from '../support/answer-modules/anonymous.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const recorded = moduleCases<AnonymousCase['config'], AnonymousCase['input']>('anonymous');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerAnonymous(line)).toEqual(answer);
});
