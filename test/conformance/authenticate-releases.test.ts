/** Tokens whose recorded results differ between releases. */
import { describe, expect, test } from 'vitest';
import {
  type AuthenticateAnswer,
  type AuthenticateQuestion,
  answerAuthenticate,
} from '../support/answer-authenticate.ts';
import { answersByRelease } from '../support/answers-by-release.ts';

describe('returns the result of each release for a token', () => {
  test.each(
    answersByRelease<AuthenticateQuestion, AuthenticateAnswer>(
      'conformance/authenticate-releases.jsonl',
    ),
  )('$id at $releaseName: $shows', async ({ input, release, expected }) => {
    expect(await answerAuthenticate(input, 'exact', { release })).toEqual(expected);
  });
});
