/**
 * Answers recorded from kube-apiserver for unusual expressions: types of dynamic parts, order of
 * messages, names that hide each other, types as values, message literals. A row lists the members
 * that must be equal; three rows omit differences without practical relevance (the message for a
 * variable in a struct literal, a time outside the years 1 to 9999, the cost of a hidden name).
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
