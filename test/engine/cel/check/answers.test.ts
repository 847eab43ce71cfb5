/**
 * What the real server said about expressions whose answer one could not guess: types of dynamic
 * parts, order of messages, names that hide each other, types as values, message literals. A row
 * tells what must be equal; three rows of no practical use leave out what we do not follow (the text
 * for a variable put into a message, a time outside the years 1 to 9999, the cost of a hidden name).
 */
import { expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../../../support/answer-cel.ts';
import { cases } from '../../../support/cases.ts';

test.each([
  ...cases<CelQuestion, CelAnswer>('engine/cel/check/answers.jsonl'),
  ...cases<CelQuestion, CelAnswer>('engine/cel/check/messages.jsonl'),
])('$id $shows', ({ input, expected }) => {
  expect(answerCel(input)).toMatchObject(expected);
});
