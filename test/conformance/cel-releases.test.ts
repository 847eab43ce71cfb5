/** Expressions whose recorded answers changed from release to release. */
import { describe, expect, test } from 'vitest';
import { answerCel, type CelAnswer, type CelQuestion } from '../support/answer-cel.ts';
import { answersByRelease } from '../support/answers-by-release.ts';

describe('expressions as each release answers them', () => {
  test.each(answersByRelease<CelQuestion, CelAnswer>('conformance/cel-releases.jsonl'))(
    '$id at $releaseName: $shows',
    ({ input, release, expected }) => {
      expect(answerCel(input, release)).toEqual(expected);
    },
  );
});
