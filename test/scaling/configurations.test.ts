/** Checks that the editor analyzes a whole configuration in time that grows linearly with its length. */
import { expect, test } from 'vitest';
import { codesOfText, slowConfiguration } from '../support/slow-configuration.ts';
import { growthBeyondLinear } from './growth.ts';

const authenticator =
  '{"issuer":{"url":"https://a.example","audiences":["a"]},"claimMappings":{"username":{"claim":"sub","prefix":""}}}';
const json =
  '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthenticationConfiguration","jwt":[';

/** Returns a text of about the given length. */
const inOneLine = (length: number): string => {
  const count = Math.ceil(length / authenticator.length);
  return `${json}${Array.from({ length: count }, () => authenticator).join()}]}`;
};

test.each([
  ['expressions', slowConfiguration, 64_000],
  ['authenticators in one line', inOneLine, 1_000_000],
] as const)(
  'analyzes %s in linear time',
  async (_, of, length) => {
    const growth = growthBeyondLinear((characters) => {
      const text = of(characters);
      return () => codesOfText(text);
    }, length);
    expect(await growth).toBeUndefined();
  },
  120_000,
);
