/** Starts of the server from its flags, as recorded. */
import { expect, test } from 'vitest';
import { answerFlags } from '../support/answer-modules/flags.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerOptions, type OptionsCase } from '../support/answer-modules/options.ts';

test.each(moduleCases<OptionsCase['config'], unknown>('options'))(
  '$id',
  async ({ expect: answer, ...line }) => {
    expect(await answerOptions(line)).toEqual(answer);
  },
);

test.each(moduleCases('flags'))('$id', ({ expect: answer }) => {
  expect(answerFlags()).toEqual(answer);
});
