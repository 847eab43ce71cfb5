/**
 * All recorded tokens: `exact` mode gives the same result as kube-apiserver in every part; product
 * mode gives the same result, or an entry of the table of differences covers the case.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type AuthenticateAnswer,
  type AuthenticateQuestion,
  answerAuthenticate,
} from '../support/answer-authenticate.ts';
import { differences } from '../support/differences.ts';
import { rawQuestion } from '../support/raw-question.ts';

interface Recorded {
  readonly id: string;
  readonly input: AuthenticateQuestion;
  readonly expected: AuthenticateAnswer;
}

const recorded = readFileSync(join(import.meta.dirname, 'authenticate.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Recorded => ({ ...JSON.parse(line), input: rawQuestion(line, ['input']) }));

describe('exact', () => {
  test.each(recorded)('$id', async ({ input, expected }) => {
    expect(await answerAuthenticate(input, 'exact')).toEqual(expected);
  });
});

describe('product', () => {
  test.each(recorded)('$id', async ({ input, expected }) => {
    const answer = await answerAuthenticate(input, 'product');
    if (isSame(answer, expected)) return;
    const covering = differences.filter(({ covers }) => covers(input)).map(({ id }) => id);
    expect(covering, `differs without an entry: ${JSON.stringify(answer)}`).not.toEqual([]);
    expect(
      answer.authenticated,
      'a difference never accepts a token that kube-apiserver rejects',
    ).toBe(false);
  });
});

const isSame = (answer: AuthenticateAnswer, expected: AuthenticateAnswer): boolean =>
  JSON.stringify(sorted(answer)) === JSON.stringify(sorted(expected));

const sorted = (answer: AuthenticateAnswer): unknown => [
  answer.configError,
  answer.authenticated,
  answer.user && [
    answer.user.username,
    answer.user.uid,
    answer.user.groups,
    Object.entries(answer.user.extra).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ],
  answer.error,
  answer.firstError,
  answer.requests,
];
