/** Recorded results of token requests of service accounts. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import {
  answerTokenRequest,
  type TokenRequestCase,
} from '../support/answer-modules/tokenrequest.ts';

const recorded = moduleCases<TokenRequestCase['config'], TokenRequestCase['input']>('tokenrequest');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerTokenRequest(line)).toEqual(answer);
});
