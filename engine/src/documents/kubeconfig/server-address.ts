/**
 * Parses the address of a kubeconfig's cluster like client-go: the origin and the path of the
 * connection.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';

export type ServerAddress =
  | {
      readonly kind: 'address';
      /** `https`, `http`, or any other scheme. */
      readonly scheme: string;
      /** The origin: `https://host:port`. */
      readonly origin: string;
      /** `user:password`, escaped: credentials for servers that request basic authentication. */
      readonly userInfo: string;
      /** The path from the slash, cleaned and escaped as it is sent. */
      readonly path: string;
    }
  | { readonly kind: 'error'; readonly message: string };

export const parseServerAddress = (server: string): ServerAddress => {
  const host = withoutQuery(server);
  const direct = parseGoUrl(host);
  if (direct.kind === 'url' && direct.scheme !== '' && authorityOf(host) !== '') {
    return addressOf(host, direct.scheme);
  }
  const assumed = `http://${host}`;
  const parsed = parseGoUrl(assumed);
  if (parsed.kind === 'error') return parsed;
  const { path } = splitUrl(assumed);
  if (path !== '' && path !== '/') {
    return { kind: 'error', message: `host must be a URL or a host:port pair: ${goQuote(host)}` };
  }
  return addressOf(assumed, 'http');
};

/** Removes the query of an address with a path; an apparent fragment is then part of the path. */
const withoutQuery = (server: string): string => {
  const front = server.split('?', 1)[0] ?? '';
  const { path } = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*(?<path>\/.*)$/s.exec(front)?.groups ?? {};
  if (path === undefined || path.length < 2) return server;
  const asPath = front.replaceAll('#', '%23');
  return parseGoUrl(asPath).kind === 'url' ? asPath : server;
};

interface UrlParts {
  readonly authority: string;
  readonly path: string;
}

/** Splits `scheme://authority/path?query#fragment`. */
const splitUrl = (url: string): UrlParts => {
  const groups = /^[^:]*:(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)/s.exec(url)?.groups;
  return { authority: groups?.authority ?? '', path: groups?.path ?? '' };
};

const authorityOf = (url: string): string => splitUrl(url).authority.replace(/^.*@/s, '');

const addressOf = (url: string, scheme: string): ServerAddress => {
  const { authority, path } = splitUrl(url);
  const at = authority.lastIndexOf('@');
  return {
    kind: 'address',
    scheme,
    origin: `${scheme}://${authority.slice(at + 1)}`,
    userInfo: at === -1 ? '' : authority.slice(0, at),
    path: wirePath(path),
  };
};

/**
 * Returns the path unchanged if cleaning has no effect; otherwise decoded, cleaned and escaped
 * again.
 */
const wirePath = (path: string): string => {
  const decoded = unescapeBytes(path);
  const cleaned = cleanPath(decoded);
  if (
    cleaned === decoded &&
    /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)
  ) {
    return path;
  }
  return cleaned.replace(
    /[^A-Za-z0-9\-._~$&+,/:;=@]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
};

/** Decodes percent escapes to one character per byte. */
const unescapeBytes = (path: string): string =>
  Array.from(encodeUtf8(path), (byte) => String.fromCharCode(byte))
    .join('')
    .replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );

/** Returns an absolute path without `.`, `..` and empty segments. */
export const cleanPath = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
};
