/**
 * Recorded results of service account tokens: `exact` mode gives the same result as kube-apiserver;
 * product mode gives the same result, or an entry of the table of differences covers the case.
 */
import { describe, expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import {
  answerServiceAccount,
  type ServiceAccountCase,
} from '../support/answer-modules/serviceaccount.ts';
import { differences } from '../support/differences.ts';

const recorded = moduleCases<ServiceAccountCase['config'], ServiceAccountCase['input']>(
  'serviceaccount',
);

describe('exact', () => {
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    expect(await answerServiceAccount(line)).toEqual(answer);
  });
});

describe('product', () => {
  test.each(recorded)('$id', async ({ expect: recordedAnswer, ...line }) => {
    const answer = await answerServiceAccount(line, 'product');
    const covered = differences.some(({ covers }) => covers({ token: line.input.token ?? '' }));
    if (covered) expect(answer).not.toHaveProperty('outcome', 'accept');
    else expect(answer).toEqual(recordedAnswer);
  });
});
