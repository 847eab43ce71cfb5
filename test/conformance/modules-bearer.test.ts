/** Recorded results of extracting the bearer token from a request. */
import { expect, test } from 'vitest';
import { answerBearer, type BearerCase } from '../support/answer-modules/bearer.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const recorded = moduleCases<BearerCase['config'], BearerCase['input']>('bearer');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerBearer(line)).toEqual(answer);
});
