/** Recorded results of the authenticating proxy. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import {
  answerRequestheader,
  type RequestheaderCase,
} from '../support/answer-modules/requestheader.ts';

const recorded = moduleCases<RequestheaderCase['config'], RequestheaderCase['input']>(
  'requestheader',
);

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerRequestheader(line)).toEqual(answer);
});
