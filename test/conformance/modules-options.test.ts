/** Recorded results of starting the server with its flags. */
import { expect, test } from 'vitest';
import { answerFlags } from '../support/answer-modules/flags.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerOptions, type OptionsCase } from '../support/answer-modules/options.ts';

const recorded = moduleCases<OptionsCase['config'], unknown>('options');
/** The case is covered by the difference `accepted-spellings`: RSA256 is accepted as RS256. */
const accepted = 'options-049';

test('accepts an alternative spelling of an algorithm', async () => {
  const line = recorded.find(({ id }) => id === accepted);
  expect(line).toMatchObject({
    expect: { newError: 'oidc: unsupported signing alg: "RSA256"' },
  });
  if (line === undefined) return;
  const { newError, ...started } = line.expect as { readonly newError: string };
  expect(await answerOptions(line)).toEqual(started);
});

test.each(recorded.filter(({ id }) => id !== accepted))(
  '$id',
  async ({ expect: answer, ...line }) => {
    expect(await answerOptions(line)).toEqual(answer);
  },
);

test.each(moduleCases('flags'))('$id', ({ expect: answer }) => {
  expect(answerFlags()).toEqual(answer);
});
