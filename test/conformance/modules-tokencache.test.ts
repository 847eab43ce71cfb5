/**
 * Recorded results of the token cache. Its cases wait in real time and therefore run concurrently.
 */
import { describe, expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerTokencache, type TokencacheCase } from '../support/answer-modules/tokencache.ts';

const recorded = moduleCases<TokencacheCase['config'], TokencacheCase['input']>('tokencache');

describe.concurrent('tokencache', () => {
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    expect(await answerTokencache(line)).toEqual(answer);
  });
});
