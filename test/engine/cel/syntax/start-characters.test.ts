/** The characters with which tokens can start, which are written next to each pattern. */
import { expect, test } from 'vitest';
import { allTokens, celLexer } from '../../../../engine/src/cel/tree/lexer.ts';

/** Returns the names of the tokens that chevrotain tries for each of the first 256 characters. */
const triedTokens = (lexer: object): readonly string[] => {
  const [byCode] = Object.values(Object(Reflect.get(lexer, 'charCodeToPatternIdxToConfig')));
  const nameOf = new Map(allTokens.map(({ tokenTypeIdx, name }) => [tokenTypeIdx, name]));
  return Array.from({ length: 256 }, (_, code) => {
    const configs: readonly { readonly tokenTypeIdx: number }[] = Object(byCode)[code] ?? [];
    return configs.map(({ tokenTypeIdx }) => nameOf.get(tokenTypeIdx)).join(' ');
  });
};

test('they are those that chevrotain finds in the patterns', () => {
  const hinted = celLexer();
  const hints = allTokens.map((token) => Reflect.get(token, 'START_CHARS_HINT'));
  expect(hints.filter(Boolean)).toHaveLength(10);
  for (const token of allTokens) Reflect.set(token, 'START_CHARS_HINT', undefined);
  const options = { positionTracking: 'onlyOffset', skipValidations: true };
  const own: object = Reflect.construct(hinted.constructor, [allTokens, options]);
  const found = triedTokens(own);
  expect(found[48]).toBe('Double Uint Int');
  expect(triedTokens(hinted)).toEqual(found);
});
