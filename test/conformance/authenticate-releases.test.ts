/** Tokens whose recorded answers changed from release to release. */
import { describe, expect, test } from 'vitest';
import {
  type AuthenticateAnswer,
  type AuthenticateQuestion,
  answerAuthenticate,
} from '../support/answer-authenticate.ts';
import { answersByRelease } from '../support/answers-by-release.ts';

describe('tokens as each release answers them', () => {
  test.each(
    answersByRelease<AuthenticateQuestion, AuthenticateAnswer>(
      'conformance/authenticate-releases.jsonl',
    ),
  )('$id at $releaseName: $shows', async ({ input, release, expected }) => {
    expect(await answerAuthenticate(input, 'exact', { release })).toEqual(expected);
  });
});
