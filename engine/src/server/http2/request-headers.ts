/**
 * The fields of a stream as the head of a request, by the rules of Go's server: RFC 9113, 8.2 and 8.3.
 * Clients repeat themselves: a head that equals the last one of its connection is the same value, so
 * that what it says is read once.
 */

import { decodeLatin1 } from '../../formats/byte-string.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { RawRequest } from '../http/exchange.ts';
import { parseTarget } from '../http/target.ts';
import { headerLimits } from '../limits.ts';
import { type Field, sizeOf } from './hpack/field.ts';

/** What fields say of a request. */
export type ParsedHeaders =
  | {
      readonly kind: 'request';
      readonly request: RawRequest;
      /** What the client says that the body has in bytes. */
      readonly bodyBytes: number | undefined;
      /** The text of a 400: the head can be read, and no request may be like that. */
      readonly problem: string | undefined;
    }
  /** No request: a stream error. */
  | { readonly kind: 'malformed' };

/** Of one connection. */
export class RequestHeaderReader {
  #last: { readonly fields: readonly Field[]; readonly read: ParsedHeaders } | undefined;

  /** Keeps the head, credentials and all, unless it is long. */
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

/** May the field stand behind a body? */
export const isTrailer = ({ name, value }: Field): boolean =>
  isFieldName(name) && isFieldValue(value);

const sizeOfFields = (fields: readonly Field[]): number =>
  fields.reduce((sum, field) => sum + sizeOf(field), 0);

/** Held against each body; requests that are else alike may have bodies of any length. */
const contentLengthField = 'content-length';

const haveEqualFields = (left: readonly Field[], right: readonly Field[]): boolean => {
  if (left.length !== right.length) return false;
  for (let index = 0; index < right.length; index += 1) {
    const one = left[index];
    const other = right[index];
    // A field of a table is one value for as long as it stands there.
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
    // A second length would leave two readings of one body.
    if (text !== undefined && text !== value) return malformed;
    text = value;
  }
  if (text === undefined) return read;
  return exactDigits.test(text) ? { ...read, bodyBytes: Number(text) } : malformed;
};

/** As many as a number holds exactly. */
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

/** A token (RFC 9110, 5.6.2) without capitals. */
const isFieldName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name);

/** May a field have the value? No control character but a tab. */
export const isFieldValue = (value: string): boolean => {
  // Values are short: character by character costs less than a call of a regular expression.
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < 0x20 ? code !== tab : code === 0x7f) return false;
  }
  return true;
};

const tab = 0x09;

/** Fields that speak of a connection of HTTP/1.1, in the order in which Go's server looks for them. */
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
