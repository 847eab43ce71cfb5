/** The address of a kubeconfig's cluster as client-go understands it: what it connects to, which path. */
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';

export type ServerAddress =
  | {
      readonly kind: 'address';
      /** `https`, `http`, or what else was written. */
      readonly scheme: string;
      /** `https://host:port` */
      readonly origin: string;
      /** `user:password`, escaped; credentials for servers that ask for basic authentication. */
      readonly userInfo: string;
      /** From the slash, cleaned and escaped as it goes on the wire. */
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

/** An address with a path loses its query; what looks like a fragment is a part of the path then. */
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

/** Of `scheme://authority/path?query#fragment`. */
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

/** As written where nothing is cleaned away, else decoded, cleaned and escaped anew. */
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

/** One character a byte. */
const unescapeBytes = (path: string): string =>
  Array.from(encodeUtf8(path), (byte) => String.fromCharCode(byte))
    .join('')
    .replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );

const cleanPath = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
};
