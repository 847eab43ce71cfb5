/** Validates domain-prefixed paths such as `acme.io/foo`, with kube-apiserver's error messages. */
import { hasSubdomainForm, subdomainError } from './api-names.ts';

export interface DomainPathProblem {
  /** The offset of the invalid part in UTF-16 units. */
  readonly at: number;
  /** The invalid part, or the whole key if it has no parts. */
  readonly value: string;
  /** The error message without the field. */
  readonly detail: string;
}

/** Returns the problems in kube-apiserver's order; the result is empty for a valid key. */
export const domainPathProblems = (key: string): readonly DomainPathProblem[] => {
  const slash = key.indexOf('/');
  const [host, path] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash < 1 || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [{ at: 0, value: key, detail }];
  }
  const isLong = new TextEncoder().encode(host).length > 253;
  return [
    ...(isLong ? [{ at: 0, value: host, detail: 'must be no more than 253 characters' }] : []),
    ...(hasSubdomainForm(host) ? [] : [{ at: 0, value: host, detail: subdomainError }]),
    ...(pathCharacters.test(path) ? [] : [{ at: slash + 1, value: path, detail: pathRule }]),
  ];
};

const pathCharacters = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

const pathRule = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
