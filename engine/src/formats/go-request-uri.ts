/** Validates request URIs like Go's `url.ParseRequestURI`: an absolute URL or an absolute path. */
import { goQuote } from './go-quote.ts';
import { parseGoUrl } from './go-url.ts';

/** Returns Go's error, or `undefined` for a valid URI. */
export const requestUriProblem = (text: string): string | undefined => {
  const problem = findProblem(text);
  return problem === undefined ? undefined : `parse ${goQuote(text)}: ${problem}`;
};

const findProblem = (text: string): string | undefined => {
  if (text === '') return 'empty url';
  // A request URI has no fragment: `#` is an ordinary character, except in hosts.
  const plain = text.replaceAll('#', 'x');
  const schemeEnd = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(schemeEnd);
  if (schemeEnd === 0 && text !== '*' && !/[\0-\x1f\x7f]/.test(text) && !text.startsWith(':')) {
    if (!text.startsWith('/')) return 'invalid URI for request';
    if (text.startsWith('//')) return urlProblem(`/${plain}`);
  }
  const authority = rest.startsWith('//') ? (/^[^/?]*/.exec(rest.slice(2))?.[0] ?? '') : '';
  if (authority.includes('#')) return 'invalid character "#" in host name';
  return urlProblem(plain);
};

const urlProblem = (text: string): string | undefined => {
  const parsed = parseGoUrl(text);
  return parsed.kind === 'error' ? parsed.problem : undefined;
};
