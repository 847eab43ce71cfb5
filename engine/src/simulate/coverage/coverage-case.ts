/** Converts the cases of test files to the claims that coverage decides. */
import type { TestCase, TestInput } from '../tests/test-case.ts';
import type { CoverageCase } from './coverage.ts';

/**
 * Returns the claims of a case; `undefined` for a case without a token, or with a signature that is not
 * valid, which evaluates nothing of the configuration.
 *
 * @example
 * ```ts
 * const decided = cases.map(coverageCaseOf).filter((one) => one !== undefined);
 * ```
 */
export const coverageCaseOf = ({ input, now }: TestCase): CoverageCase | undefined => {
  const claims = claimsOf(input);
  return claims && { claims, now, isToken: true };
};

const claimsOf = (input: TestInput): CoverageCase['claims'] | undefined => {
  if (input.kind === 'claims') return input.claims;
  const token = input.kind === 'token' ? input : input.token;
  return token?.signing.key === 'issuer' ? token.claims : undefined;
};
