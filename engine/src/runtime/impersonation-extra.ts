/**
 * Validates extra keys and values of a constrained impersonation, with kube-apiserver's messages.
 */
import { quoteByteString } from '../formats/byte-string.ts';
import { domainPathProblems } from '../formats/domain-path.ts';
import type { UserInfo } from '../model/user-info.ts';

/** Returns the problem of the first invalid key. */
export const extraProblem = (extra: UserInfo['extra']): string | undefined => {
  for (const [key, values] of extra) {
    const problem = keyProblem(key) ?? valuesProblem(values);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const keyProblem = (key: string): string | undefined => {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const path = pathProblem(key);
  if (path !== undefined) return `impersonating an invalid key in extra is not allowed: ${path}`;
  return key === key.toLowerCase()
    ? undefined
    : `impersonating a non-lowercase key in extra is not allowed: ${quoteByteString(key)}`;
};

const valuesProblem = (values: readonly string[]): string | undefined => {
  if (values.length === 0) return 'impersonating empty values in extra is not allowed';
  return values.includes('')
    ? 'impersonating the empty string value in extra is not allowed'
    : undefined;
};

const pathProblem = (key: string): string | undefined => {
  const problems = domainPathProblems(key).map(({ value, detail }) => invalid(value, detail));
  const [first, ...more] = new Set(problems);
  return more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
};

const invalid = (value: string, why: string): string =>
  `extra.key: Invalid value: ${quoteByteString(value)}: ${why}`;
