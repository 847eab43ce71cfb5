/** Recorded results of client certificates. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerX509, type X509Case } from '../support/answer-modules/x509.ts';

const recorded = moduleCases<X509Case['config'], X509Case['input']>('x509');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerX509(line)).toEqual(answer);
});
