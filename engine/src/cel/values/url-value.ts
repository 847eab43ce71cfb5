/** URLs as values: which strings the API server accepts, and the parts that it returns. */
import { requestUriProblem } from '../../formats/go-request-uri.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { decodeUtf8Loosely, encodeUtf8 } from '../../formats/utf8.ts';
import { CelMap } from './map-value.ts';
import {
  CelError,
  CelObject,
  type CelResult,
  type CelValue,
  noSuchOverload,
  stringList,
} from './value.ts';

/** The maximum number of query parameters; if there are more, none is returned. */
const maxQueryParameters = 10_000;

interface UrlParts {
  readonly scheme: string;
  /** Set for URLs like `mailto:x`, which have no other parts. */
  readonly opaque: string | undefined;
  /** Ends with `@`; empty if there is none. */
  readonly userInfo: string;
  readonly host: string;
  readonly hasAuthority: boolean;
  readonly path: string;
  /** Begins with `?`. */
  readonly query: string;
  /** Begins with `#`. */
  readonly fragment: string;
}

/** A URL. */
export class CelUrl extends CelObject {
  readonly parts: UrlParts;
  constructor(parts: UrlParts) {
    super();
    this.parts = parts;
  }
  get typeName(): string {
    return 'kubernetes.URL';
  }
  override get itemCount(): number {
    const { host, path, query } = this.parts;
    return host.length + path.length + query.length;
  }
  override equals(other: CelValue): CelResult {
    return other instanceof CelUrl ? String(this) === String(other) : noSuchOverload;
  }
  override toString(): string {
    const { scheme, opaque, userInfo, host, hasAuthority, path, query, fragment } = this.parts;
    const start = scheme === '' ? '' : `${scheme}:`;
    if (opaque !== undefined) return start + opaque + query + fragment;
    const hasContent = host !== '' || userInfo !== '' || path !== '';
    const authority = hasAuthority && hasContent ? `//${userInfo}${host}` : '';
    return start + authority + escapedPath(path) + query + fragment;
  }
}

/** Parses an absolute URL or an absolute path. */
export const parseUrl = (text: string): CelUrl | CelError => {
  const problem = requestUriProblem(text);
  if (problem !== undefined) {
    return new CelError(`URL parse error during conversion from string: ${problem}`);
  }
  const parsed = parseGoUrl(text);
  return parsed.kind === 'error'
    ? new CelError(`URL parse error during conversion from string: ${parsed.message}`)
    : new CelUrl(splitUrl(text));
};

/** Returns the host without port and brackets. */
export const hostnameOf = (url: CelUrl): string => {
  const { host } = url.parts;
  const colon = host.lastIndexOf(':');
  const name = colon >= 0 && /^:[0-9]*$/.test(host.slice(colon)) ? host.slice(0, colon) : host;
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
};

/** Returns the port, or an empty string. */
export const portOf = (url: CelUrl): string => /:([0-9]*)$/.exec(url.parts.host)?.[1] ?? '';

/** Returns the path with its escapes. */
export const escapedPathOf = (url: CelUrl): string => escapedPath(url.parts.path);

/** Returns the query parameters by name, without malformed ones. */
export const queryOf = (url: CelUrl): CelMap => {
  const values = new Map<string, string[]>();
  const parameters = url.parts.query.slice(1).split('&');
  for (const parameter of parameters.length > maxQueryParameters ? [] : parameters) {
    if (parameter === '' || parameter.includes(';')) continue;
    const equalsAt = parameter.indexOf('=');
    const name = unescapeQuery(equalsAt < 0 ? parameter : parameter.slice(0, equalsAt));
    const value = unescapeQuery(equalsAt < 0 ? '' : parameter.slice(equalsAt + 1));
    if (name === undefined || value === undefined) continue;
    const existing = values.get(name);
    if (existing === undefined) values.set(name, [value]);
    else existing.push(value);
  }
  return new CelMap([...values].map(([name, texts]) => [name, stringList(texts)]));
};

const splitUrl = (text: string): UrlParts => {
  const hash = text.indexOf('#');
  const fragmentText = hash < 0 ? '' : text.slice(hash + 1);
  const withoutFragment = hash < 0 ? text : text.slice(0, hash);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(withoutFragment)?.[1] ?? '';
  const rest = scheme === '' ? withoutFragment : withoutFragment.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  const beforeQuery = question < 0 ? rest : rest.slice(0, question);
  const shared = {
    scheme: scheme.toLowerCase(),
    query: question < 0 ? '' : rest.slice(question),
    fragment: fragmentText === '' ? '' : `#${escapeFragment(fragmentText)}`,
  };
  const none = { userInfo: '', host: '', hasAuthority: false };
  if (scheme !== '' && !beforeQuery.startsWith('/')) {
    return { ...shared, ...none, opaque: beforeQuery, path: '' };
  }
  if (!beforeQuery.startsWith('//') || (scheme === '' && beforeQuery.startsWith('///'))) {
    return { ...shared, ...none, opaque: undefined, path: beforeQuery };
  }
  const slash = beforeQuery.indexOf('/', 2);
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash);
  const at = authority.lastIndexOf('@');
  return {
    ...shared,
    opaque: undefined,
    hasAuthority: true,
    userInfo: authority.slice(0, at + 1),
    host: decodeUtf8Loosely(unescapeBytes(authority.slice(at + 1))),
    path: slash < 0 ? '' : beforeQuery.slice(slash),
  };
};

const escapedPath = (path: string): string =>
  /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/%]*$/.test(path)
    ? path
    : escapeBytes(path, /[A-Za-z0-9\-._~$&+,/:;=@]/);

const escapeFragment = (fragment: string): string =>
  /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/?%]*$/.test(fragment)
    ? fragment
    : escapeBytes(fragment, /[A-Za-z0-9\-._~!$&'()*+,/:;=?@]/);

const escapeBytes = (text: string, plain: RegExp): string => {
  let escaped = '';
  for (const byte of unescapeBytes(text)) {
    const character = String.fromCharCode(byte);
    escaped += plain.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
};

const unescapeBytes = (text: string): Uint8Array => {
  const bytes = encodeUtf8(text);
  if (!text.includes('%')) return bytes;
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    let byte = bytes[index] ?? 0;
    if (byte === 0x25) {
      const digits = String.fromCharCode(bytes[index + 1] ?? 0, bytes[index + 2] ?? 0);
      if (/^[0-9a-fA-F]{2}$/.test(digits)) {
        byte = Number.parseInt(digits, 16);
        index += 2;
      }
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
};

const unescapeQuery = (text: string): string | undefined =>
  /%(?![0-9a-fA-F]{2})/.test(text)
    ? undefined
    : decodeUtf8Loosely(unescapeBytes(text.replaceAll('+', ' ')));
