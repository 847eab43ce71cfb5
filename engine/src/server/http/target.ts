/**
 * Parses the target of a request as Go's `url.ParseRequestURI` does: the path is percent-decoded
 * exactly once and never cleaned, case-folded or joined. The anonymous conditions, the authorizer
 * and the routes all use this path.
 */
import { decodeBytes } from '../../formats/byte-string.ts';
import { requestUriProblem } from '../../formats/go-request-uri.ts';
import { memoizeRecent } from './memoize-recent.ts';

export interface Target {
  /**
   * The decoded path; bytes that are not UTF-8 become lone surrogates, which equal no string of a
   * file.
   */
  readonly path: string;
  /** Parameter values by name, in order. */
  readonly query: ReadonlyMap<string, readonly string[]>;
}

const readTarget = (target: string): Target | undefined => {
  if (target === '' || /[\u0000-\u001f\u007f]/.test(target)) return undefined;
  if (target === '*') return { path: '*', query: new Map() };
  const origin = originForm(target);
  if (origin === undefined) return undefined;
  const question = origin.indexOf('?');
  const path = decodeOnce(question < 0 ? origin : origin.slice(0, question), { plus: '+' });
  if (path === undefined) return undefined;
  return { path, query: parseQuery(question < 0 ? '' : origin.slice(question + 1)) };
};

/**
 * Returns `undefined` where kube-apiserver responds with 400: no path, control characters,
 * malformed escapes.
 */
export const parseTarget = (target: string): Target | undefined =>
  target.includes('?') ? readTarget(target) : readPath(target);

/**
 * Returns the target of a request. CONNECT has an empty path unless its request line contains one.
 */
export const targetOf = ({
  method,
  rawTarget,
  httpMajor,
}: {
  readonly method: string;
  readonly rawTarget: string;
  readonly httpMajor: 1 | 2;
}): Target | undefined =>
  method === 'CONNECT' && (httpMajor === 2 || !rawTarget.startsWith('/'))
    ? emptyTarget
    : parseTarget(rawTarget);

const emptyTarget: Target = { path: '', query: new Map() };

/** Memoizes paths without a query; queries may contain data of the client and are not retained. */
const readPath = memoizeRecent(readTarget);

/** The first value of a query parameter; empty when it is absent, as in Go. */
export const queryValue = (target: Target, name: string): string =>
  target.query.get(name)?.[0] ?? '';

/** `https://host/path?query` -> `/path?query`; a path stays as it is, and `https:x` has none. */
const originForm = (target: string): string | undefined => {
  if (target.startsWith('/')) return target;
  if (requestUriProblem(target) !== undefined) return undefined;
  return /^[^:]*:(?:\/\/[^/?]*|(?!\/)[^?]*)?(?<rest>.*)$/s.exec(target)?.groups?.rest;
};

const parseQuery = (text: string): ReadonlyMap<string, readonly string[]> => {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    // Go ignores a pair with a semicolon.
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = decodeOnce(equals < 0 ? pair : pair.slice(0, equals), { plus: ' ' });
    const value = decodeOnce(equals < 0 ? '' : pair.slice(equals + 1), { plus: ' ' });
    if (name === undefined || value === undefined) continue;
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
};

const decodeOnce = (text: string, { plus }: { readonly plus: string }): string | undefined => {
  if (!/[%+\u0080-\u00ff]/.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    let byte = text.charCodeAt(index) & 0xff;
    if (byte === 0x25) {
      const high = hexDigit(text.charCodeAt(index + 1));
      const low = hexDigit(text.charCodeAt(index + 2));
      if (high < 0 || low < 0) return undefined;
      byte = high * 16 + low;
      index += 2;
    } else if (byte === 0x2b) byte = plus.charCodeAt(0);
    bytes[length] = byte;
    length += 1;
  }
  return decodeBytes(bytes.subarray(0, length));
};

/** Value of a hexadecimal digit; -1 for other characters, and at the end of a string. */
const hexDigit = (unit: number): number => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};
