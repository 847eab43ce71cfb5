/** `acme.io/foo`, a domain, a slash and a path: the form of keys, judged in the real server's words. */
import { hasSubdomainForm, subdomainError } from './api-names.ts';

export interface DomainPathProblem {
  /** Offset in the key of the part that is wrong, in UTF-16 units. */
  readonly at: number;
  /** The wrong part; the key itself where it has no parts. */
  readonly value: string;
  /** Why, without the name of a field. */
  readonly detail: string;
}

/** In the order of the real server; empty for a key of the right form. */
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
