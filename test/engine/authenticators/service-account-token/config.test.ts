/** The values of the flags and kube-apiserver's errors for invalid ones. */
import { expect, test } from 'vitest';
import {
  expirationProblem,
  type ServiceAccountSettings,
  validateServiceAccounts,
} from '../../../../engine/src/authenticators/service-account-token/config.ts';

const good: ServiceAccountSettings = {
  keyFiles: ['sa.pub'],
  signingKeyFile: '',
  issuers: ['https://issuer.example'],
  lookup: true,
  jwksUri: '',
  maxExpirationSeconds: 0,
  extendExpiration: true,
};

const messages = (more: Partial<ServiceAccountSettings>): readonly string[] =>
  validateServiceAccounts({ ...good, ...more }).map(({ message }) => message);

test.each<[Partial<ServiceAccountSettings>, readonly string[]]>([
  [{}, []],
  [{ issuers: [] }, ['service-account-issuer is a required flag']],
  [{ issuers: [''] }, ['service-account-issuer should not be an empty string']],
  [{ issuers: ['a', 'a'] }, ['service-account-issuer "a" is already specified']],
  [
    { issuers: [':x'] },
    [
      `service-account-issuer ":x" contained a ':' but was not a valid URL: parse ":x": missing protocol scheme`,
    ],
  ],
  [
    { issuers: [], keyFiles: [] },
    [
      'service-account-issuer is a required flag',
      'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
    ],
  ],
  [
    { jwksUri: 'HTTP://x.example' },
    ['service-account-jwks-uri requires https scheme, parsed as: http://x.example'],
  ],
  [
    { jwksUri: 'https://%zz' },
    ['service-account-jwks-uri must be a valid URL: parse "https://%zz": invalid URL escape "%zz"'],
  ],
])('%j', (more, wanted) => {
  expect(messages(more)).toEqual(wanted);
});

test.each([
  [0, true],
  [3599, false],
  [3600, true],
  [2 ** 32, true],
  [2 ** 32 + 1, false],
])('a maximum expiration of %d seconds', (maxExpirationSeconds, fits) => {
  const problem = expirationProblem({ ...good, maxExpirationSeconds });
  expect(problem === undefined).toBe(fits);
});
