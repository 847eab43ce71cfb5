/** The recorded answers of the real server about expressions. */
import { describe, expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../support/answer-cel.ts';
import { cases } from '../support/cases.ts';

describe('expressions as the real server answers them', () => {
  test.each(cases<CelQuestion, CelAnswer>('conformance/cel.jsonl'))('$id $shows', (recorded) => {
    expect(answerCel(recorded.input)).toEqual(recorded.expected);
  });
});
