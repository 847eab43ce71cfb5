/** Recorded results of the token cleaner, which deletes expired bootstrap tokens. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import {
  answerTokencleaner,
  type TokencleanerCase,
} from '../support/answer-modules/tokencleaner.ts';

const recorded = moduleCases<unknown, TokencleanerCase['input']>('tokencleaner');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerTokencleaner(line)).toEqual(answer);
});
