/**
 * What the real server's compiler said about expressions whose answer one could not guess: types of
 * dynamic parts, order of messages, names that hide each other, types as values.
 */
import { expect, test } from 'vitest';
import { answerCel, type CelQuestion } from '../../../support/answer-cel.ts';
import { cases } from '../../../support/cases.ts';

interface RecordedAnswer {
  readonly compileError?: string;
  readonly errorType?: string;
  readonly outputType?: string;
}

test.each(cases<CelQuestion, RecordedAnswer>('engine/cel/check/answers.jsonl'))(
  '$id $shows',
  ({ input, expected }) => {
    const { compileError, errorType, outputType } = answerCel(input);
    expect({ compileError, errorType, outputType }).toEqual({
      compileError: expected.compileError,
      errorType: expected.errorType,
      outputType: expected.outputType,
    });
  },
);
