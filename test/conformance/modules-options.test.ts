/** Starts of the server from its flags, as recorded. */
import { expect, test } from 'vitest';
import { answerFlags } from '../support/answer-modules/flags.ts';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerOptions, type OptionsCase } from '../support/answer-modules/options.ts';

const recorded = moduleCases<OptionsCase['config'], unknown>('options');
/** Differs by the row `accepted-spellings`: RSA256 is accepted as RS256. */
const accepted = 'options-049';

test('a documented spelling of an algorithm is accepted', async () => {
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
