/** Recorded results of bootstrap tokens. */
import { expect, test } from 'vitest';
import { answerBootstrap, type BootstrapCase } from '../support/answer-modules/bootstrap.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';

const recorded = moduleCases<BootstrapCase['config'], BootstrapCase['input']>('bootstrap');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerBootstrap(line)).toEqual(answer);
});
