/** Parses URLs like Go's `net/url`, with its errors. Strings are processed as UTF-8 bytes. */
import { latin1Bytes } from './byte-string.ts';
import { ipv6Problem } from './go-ip.ts';
import { goQuote } from './go-quote.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

export type GoUrl =
  | {
      readonly kind: 'url';
      /** The scheme in lowercase. */
      readonly scheme: string;
      readonly hasUserInfo: boolean;
      /** The decoded host with its port; bytes beyond ASCII are one character each. */
      readonly host: string;
      readonly query: string;
      readonly fragment: string;
    }
  | {
      readonly kind: 'error';
      /** `parse "…": invalid URL escape "%zz"` */
      readonly message: string;
      /** The message without the URL. */
      readonly problem: string;
    };

export const parseGoUrl = (text: string): GoUrl => {
  const bytes = toByteString(text);
  const [front, fragment] = cut(bytes, '#');
  const parsed = parseBeforeFragment(front);
  if (typeof parsed === 'string') return parseError(front, parsed);
  const problem = escapeProblem(fragment, 'other');
  if (problem !== undefined) return parseError(bytes, problem);
  return { kind: 'url', ...parsed, fragment };
};

const parseError = (bytes: string, problem: string): GoUrl => ({
  kind: 'error',
  message: `parse ${quoteBytes(bytes)}: ${problem}`,
  problem,
});

interface UrlBeforeFragment {
  readonly scheme: string;
  readonly hasUserInfo: boolean;
  readonly host: string;
  readonly query: string;
}

/** Parses everything before the fragment; returns a string if that fails. */
const parseBeforeFragment = (text: string): UrlBeforeFragment | string => {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '*') return { scheme: '', hasUserInfo: false, host: '', query: '' };
  if (text.startsWith(':')) return 'missing protocol scheme';
  const schemeMatch = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = (schemeMatch?.[1] ?? '').toLowerCase();
  const [rest, query] = cut(text.slice(schemeMatch?.[0].length ?? 0), '?');
  const front: UrlBeforeFragment = { scheme, hasUserInfo: false, host: '', query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return front;
    if (cut(rest, '/')[0].includes(':')) return 'first path segment in URL cannot contain colon';
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///')))
    return escapeProblem(rest, 'other') ?? front;
  const slash = rest.indexOf('/', 2);
  const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash === -1 ? '' : rest.slice(slash);
  const problem = authorityProblem(scheme, authority) ?? escapeProblem(path, 'other');
  if (problem !== undefined) return problem;
  const host = unescapeBytes(authority.slice(authority.lastIndexOf('@') + 1));
  return { ...front, hasUserInfo: authority.includes('@'), host };
};

const authorityProblem = (scheme: string, authority: string): string | undefined => {
  const at = authority.lastIndexOf('@');
  const problem = hostProblem(scheme, authority.slice(at + 1));
  if (problem !== undefined || at === -1) return problem;
  const userInfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return 'net/url: invalid userinfo';
  const [user, password] = cut(userInfo, ':');
  return escapeProblem(user, 'other') ?? escapeProblem(password, 'other');
};

const hostProblem = (scheme: string, host: string): string | undefined => {
  const open = host.lastIndexOf('[');
  if (open > 0) return 'invalid IP-literal';
  if (open === 0) return ipLiteralProblem(host);
  const first = host.indexOf(':');
  if (first !== -1) {
    const strict = scheme === 'http' || scheme === 'https';
    const port = host.slice(strict ? first : host.lastIndexOf(':'));
    if (!isPort(port)) return `invalid port ${quoteBytes(port)} after host`;
  }
  return escapeProblem(host, 'host');
};

const ipLiteralProblem = (host: string): string | undefined => {
  const close = host.lastIndexOf(']');
  if (close === -1) return "missing ']' in host";
  const port = host.slice(close + 1);
  if (!isPort(port)) return `invalid port ${quoteBytes(port)} after host`;
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address = zone === -1 ? name : name.slice(0, zone);
  const problem =
    escapeProblem(address, 'host') ??
    (zone === -1 ? undefined : escapeProblem(name.slice(zone), 'zone'));
  if (problem !== undefined) return problem;
  return ipv6Problem(unescapeBytes(name), quoteBytes);
};

const isPort = (text: string): boolean => text === '' || /^:[0-9]*$/.test(text);

type Part = 'host' | 'zone' | 'other';

/**
 * Returns the error of the first invalid escape or of the first character that the part may not
 * contain.
 */
const escapeProblem = (text: string, part: Part): string | undefined => {
  if (part === 'other') {
    const at = text.search(/%(?![0-9a-fA-F]{2})/);
    return at === -1 ? undefined : `invalid URL escape ${quoteBytes(text.slice(at, at + 3))}`;
  }
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '%') {
      const escaped = text.slice(at, at + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(escaped) || !mayEscape(escaped, part))
        return `invalid URL escape ${quoteBytes(escaped)}`;
      at += 2;
    } else if (letter < '\x80' && !inHost.test(letter))
      return `invalid character ${quoteBytes(letter)} in host name`;
  }
  return undefined;
};

const inHost = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

/**
 * Checks which bytes may be escaped: only bytes beyond ASCII in a host, also ASCII characters of a
 * host in a zone.
 */
const mayEscape = (escaped: string, part: 'host' | 'zone'): boolean => {
  if (escaped === '%25') return true;
  const byte = Number.parseInt(escaped.slice(1), 16);
  if (part === 'host') return byte >= 0x80;
  const letter = String.fromCharCode(byte);
  return letter === ' ' || (byte < 0x80 && inHost.test(letter));
};

const unescapeBytes = (text: string): string =>
  text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

const cut = (text: string, separator: string): readonly [string, string] => {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};

/** Converts to one character for each byte. */
const toByteString = (text: string): string => {
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  let letters = '';
  for (const byte of encodeUtf8(text)) letters += String.fromCharCode(byte);
  return letters;
};

/** Quotes bytes like Go: valid characters as they print, other bytes as `\xc3`. */
const quoteBytes = (letters: string): string => {
  const bytes = latin1Bytes(letters);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return goQuote(text);
  let quoted = '';
  for (let at = 0; at < bytes.length; ) {
    const width = [1, 2, 3, 4].find(
      (size) =>
        at + size <= bytes.length && decodeUtf8(bytes.subarray(at, at + size)) !== undefined,
    );
    const part = width === undefined ? undefined : decodeUtf8(bytes.subarray(at, at + width));
    quoted +=
      part === undefined
        ? `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`
        : goQuote(part).slice(1, -1);
    at += width ?? 1;
  }
  return `"${quoted}"`;
};
