/** Recorded results of expressions in kube-apiserver. */
import { describe, expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../support/answer-cel.ts';
import { cases } from '../support/cases.ts';

describe('returns the result of kube-apiserver for an expression', () => {
  test.each(cases<CelQuestion, CelAnswer>('conformance/cel.jsonl'))('$id $shows', (recorded) => {
    expect(answerCel(recorded.input)).toEqual(recorded.expected);
  });
});
