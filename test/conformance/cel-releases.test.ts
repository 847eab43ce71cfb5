/** Expressions whose recorded results differ between releases. */
import { describe, expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../support/answer-cel.ts';
import { answersByRelease } from '../support/answers-by-release.ts';

describe('returns the result of each release for an expression', () => {
  test.each(answersByRelease<CelQuestion, CelAnswer>('conformance/cel-releases.jsonl'))(
    '$id at $releaseName: $shows',
    ({ input, release, expected }) => {
      expect(answerCel(input, release)).toEqual(expected);
    },
  );
});
