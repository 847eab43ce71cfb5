/**
 * Turns the header fields of a stream into a request, by the rules of Go's server (RFC 9113, 8.2
 * and 8.3). A header block that equals the previous one of its connection gives the same value, so
 * that it is parsed only once.
 */

import { decodeLatin1 } from '../../formats/byte-string.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { RawRequest } from '../http/incoming-request.ts';
import { parseTarget } from '../http/target.ts';
import { headerLimits } from '../limits.ts';
import { type Field, sizeOf } from './hpack/field.ts';

/** The result of parsing header fields. */
export type ParsedHeaders =
  | {
      readonly kind: 'request';
      readonly request: RawRequest;
      /** The value of Content-Length. */
      readonly bodyBytes: number | undefined;
      /** The message of a 400: the header fields are well-formed, but not allowed in a request. */
      readonly problem: string | undefined;
    }
  /** The header fields are malformed: a stream error. */
  | { readonly kind: 'malformed' };

/** Parses the header blocks of a single connection. */
export class RequestHeaderReader {
  #last: { readonly fields: readonly Field[]; readonly read: ParsedHeaders } | undefined;

  /** Parses header fields and retains the result, including credentials, unless it is long. */
  read(fields: readonly Field[]): ParsedHeaders {
    const last = this.#last;
    if (last !== undefined && haveEqualFields(last.fields, fields))
      return withContentLength(last.read, fields);
    const read = parseFields(fields);
    const isRetained = read.kind === 'request' && sizeOfFields(fields) <= headerLimits.memoized;
    this.#last = isRetained ? { fields, read } : undefined;
    return withContentLength(read, fields);
  }
}

/** True if the field is allowed in a trailer section. */
export const isTrailer = ({ name, value }: Field): boolean =>
  isFieldName(name) && isFieldValue(value);

const sizeOfFields = (fields: readonly Field[]): number =>
  fields.reduce((sum, field) => sum + sizeOf(field), 0);

/** Compared with each body; otherwise equal requests may have bodies of any length. */
const contentLengthField = 'content-length';

const haveEqualFields = (left: readonly Field[], right: readonly Field[]): boolean => {
  if (left.length !== right.length) return false;
  for (let index = 0; index < right.length; index += 1) {
    const one = left[index];
    const other = right[index];
    // A field of an HPACK table is the same object until it is evicted.
    if (one === other) continue;
    if (one === undefined || other === undefined || one.name !== other.name) return false;
    if (one.value !== other.value && one.name !== contentLengthField) return false;
  }
  return true;
};

const withContentLength = (read: ParsedHeaders, fields: readonly Field[]): ParsedHeaders => {
  if (read.kind !== 'request') return read;
  let text: string | undefined;
  for (const { name, value } of fields) {
    if (name !== contentLengthField) continue;
    // Different lengths would make the end of the body ambiguous.
    if (text !== undefined && text !== value) return malformed;
    text = value;
  }
  if (text === undefined) return read;
  return exactDigits.test(text) ? { ...read, bodyBytes: Number(text) } : malformed;
};

/** Matches numbers that are exactly representable. */
const exactDigits = /^[0-9]{1,15}$/;

const malformed: ParsedHeaders = { kind: 'malformed' };

const parseFields = (fields: readonly Field[]): ParsedHeaders => {
  const pseudo = new Map<string, string>();
  const headers: Field[] = [];
  let count = 0;
  for (const field of fields) {
    const { name, value } = field;
    if (!isFieldValue(value)) return malformed;
    if (name.startsWith(':')) {
      if (count > 0 || pseudo.has(name) || !pseudoHeaderNames.has(name)) return malformed;
      pseudo.set(name, value);
      continue;
    }
    if (!isFieldName(name)) return malformed;
    count += 1;
    if (name !== contentLengthField) headers.push(field);
  }
  const method = decodeLatin1(pseudo.get(':method') ?? '');
  const host = firstHeader(headers, 'host') ?? '';
  const rawTarget = targetOf(pseudo, { method, host });
  if (method === '' || rawTarget === undefined) return malformed;
  const request: RawRequest = {
    method,
    rawTarget,
    headers,
    fieldCount: count,
    httpMajor: 2,
    httpMinor: 0,
  };
  return { kind: 'request', request, bodyBytes: undefined, problem: connectionFieldError(headers) };
};

const pseudoHeaderNames = new Set([':method', ':scheme', ':authority', ':path']);

const targetOf = (
  pseudo: ReadonlyMap<string, string>,
  { method, host }: { readonly method: string; readonly host: string },
): string | undefined => {
  const path = pseudo.get(':path') ?? '';
  const scheme = pseudo.get(':scheme') ?? '';
  const authority = pseudo.get(':authority') ?? '';
  if (method === 'CONNECT') {
    return path === '' && scheme === '' && authority !== '' ? authority : undefined;
  }
  const named = authority === '' ? host : authority;
  const isRequest = (scheme === 'https' || scheme === 'http') && !named.includes('@');
  return isRequest && parseTarget(path) !== undefined ? path : undefined;
};

/** True for a token (RFC 9110, 5.6.2) without upper-case letters. */
const isFieldName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name);

/** True if the value contains no control character except tab. */
export const isFieldValue = (value: string): boolean => {
  // Values are short: a loop is faster than a regular expression.
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < 0x20 ? code !== tab : code === 0x7f) return false;
  }
  return true;
};

const tab = 0x09;

/** Connection-specific fields of HTTP/1.1, in the order in which Go's server checks them. */
const connectionFields: readonly (readonly [name: string, shown: string])[] = [
  ['connection', 'Connection'],
  ['keep-alive', 'Keep-Alive'],
  ['proxy-connection', 'Proxy-Connection'],
  ['transfer-encoding', 'Transfer-Encoding'],
  ['upgrade', 'Upgrade'],
];

const connectionFieldError = (headers: readonly Field[]): string | undefined => {
  for (const [name, shown] of connectionFields) {
    if (headers.some((field) => field.name === name)) {
      return `request header "${shown}" is not valid in HTTP/2`;
    }
  }
  const codings = headers.filter(({ name }) => name === 'te').map(({ value }) => value);
  const isPlain =
    codings.length === 0 || (codings.length === 1 && isTrailersOnly(codings[0] ?? ''));
  return isPlain ? undefined : 'request header "TE" may only be "trailers" in HTTP/2';
};

const isTrailersOnly = (coding: string): boolean => coding === '' || coding === 'trailers';
