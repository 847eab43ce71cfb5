/**
 * Surprising results of kube-apiserver and a sample of generated expressions: values, errors, the
 * result of a groups mapping, and the cost, including evaluations that end at the limit.
 */
import { describe, expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../../../support/answer-cel.ts';
import { cases } from '../../../support/cases.ts';

interface Question {
  readonly kind: string;
  readonly expression: string;
  /** The ID of a row in recorded-claims.jsonl. */
  readonly claims: string;
}

const claimSets = new Map(
  cases<Record<string, unknown>>('engine/cel/runtime/recorded-claims.jsonl').map((row) => [
    row.id,
    row.input,
  ]),
);

describe('evaluates expressions like kube-apiserver', () => {
  test.each(cases<Question, CelAnswer>('engine/cel/runtime/recorded.jsonl'))(
    '$id $shows',
    ({ input, expected }) => {
      const claims = claimSets.get(input.claims) ?? {};
      expect(answerCel({ ...input, claims })).toEqual(expected);
    },
  );

  test.each(cases<CelQuestion, CelAnswer>('engine/cel/runtime/wrapped-data.jsonl'))(
    '$id $shows',
    ({ input, expected }) => {
      expect(answerCel(input)).toEqual(expected);
    },
  );
});
