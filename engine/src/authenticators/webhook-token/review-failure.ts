/**
 * Derives the error message of an unsuccessful response and whether to retry. A Status in the body
 * is used if there is one, otherwise the status code, with kube-apiserver's messages.
 */

import { type PlainLimits, readPlain } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject, type Fields } from '../../formats/go-struct/decode.ts';
import { mapField, numberField, stringField } from '../../formats/go-struct/fields.ts';
import { readTypeMeta } from '../../formats/go-struct/type-meta.ts';
import { mediaTypeOf } from '../../formats/media-type.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { statusShape } from './review-shape.ts';

export interface ReviewFailure {
  readonly kind: 'failure';
  /** The message, as in kube-apiserver. */
  readonly message: string;
  /** True if the failure may be temporary, so that the request is retried. */
  readonly isRetryable: boolean;
  /** Set if the request was not sent, or was given up, in favor of other clients of the webhook. */
  readonly overloaded?: true;
}

export const failureOfResponse = (response: HttpResponse, limits: PlainLimits): ReviewFailure =>
  failureFromStatus(response, limits) ?? failureFromCode(response);

const failureFromStatus = (
  { body }: HttpResponse,
  limits: PlainLimits,
): ReviewFailure | undefined => {
  if (body.length === 0) return undefined;
  const plain = readPlain(body, limits);
  if (plain.kind === 'error') return undefined;
  const stated = readTypeMeta(plain.value);
  if (stated.kind === 'error' || stated.objectKind !== 'Status') return undefined;
  const decoded = decodeObject(plain.value, statusShape);
  if (decoded.kind === 'error' || stringField(decoded.fields, 'status') !== 'Failure') {
    return undefined;
  }
  const { fields } = decoded;
  const details = fields.has('details') ? mapField(fields, 'details') : undefined;
  return {
    kind: 'failure',
    message: stringField(fields, 'message'),
    isRetryable: isRetryableFailure({
      reason: stringField(fields, 'reason'),
      code: numberOf(fields, 'code'),
      retryAfterSeconds: details && numberOf(details, 'retryAfterSeconds'),
    }),
  };
};

const numberOf = (fields: Fields, name: string): number => Number(numberField(fields, name) ?? 0);

interface Failure {
  readonly reason: string;
  readonly code: number;
  /** `undefined` if the Status has no details. */
  readonly retryAfterSeconds: number | undefined;
}

const isRetryableFailure = ({ reason, code, retryAfterSeconds }: Failure): boolean => {
  if (retryableReasons.has(reason) || code === 429) return true;
  if (!knownReasons.has(reason) && (code === 500 || code === 504)) return true;
  if (retryAfterSeconds === undefined) return false;
  return reason === 'ServerTimeout' || retryAfterSeconds > 0;
};

const retryableReasons: ReadonlySet<string> = new Set([
  'InternalError',
  'Timeout',
  'TooManyRequests',
]);

const knownReasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

const failureFromCode = (response: HttpResponse): ReviewFailure => {
  const { status } = response;
  const text = responseText(response);
  const knownStatus = byStatus.get(status);
  const reason = knownStatus?.reason ?? (status >= 500 ? 'InternalError' : '');
  const failure = {
    reason,
    code: status,
    retryAfterSeconds: retryAfterOf(response) ?? 0,
  };
  return {
    kind: 'failure',
    message: knownStatus?.message(text) ?? otherMessage(status, text),
    isRetryable: isRetryableFailure(failure),
  };
};

const otherMessage = (status: number, text: string): string =>
  status >= 500
    ? `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;

const maxMessageBytes = 2048;

/** Returns the body for a message, shortened, if it is text; otherwise `unknown`. */
const responseText = ({ headers, body }: HttpResponse): string => {
  const contentType = headers.get('content-type') ?? '';
  if (contentType !== '' && mediaTypeOf(contentType)?.startsWith('text/') !== true)
    return 'unknown';
  return decodeUtf8Loosely(body.subarray(0, maxMessageBytes)).trim();
};

/**
 * Returns the seconds to wait; `undefined` for a date, which kube-apiserver does not parse either.
 */
export const retryAfterOf = ({ headers }: HttpResponse): number | undefined => {
  const value = headers.get('retry-after') ?? '';
  return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
};

interface KnownStatus {
  readonly reason: string;
  message(text: string): string;
}

const constant = (reason: string, message: string): KnownStatus => ({
  reason,
  message: () => message,
});

const byStatus: ReadonlyMap<number, KnownStatus> = new Map([
  [400, constant('BadRequest', 'the server rejected our request for an unknown reason')],
  [401, constant('Unauthorized', 'the server has asked for the client to provide credentials')],
  [403, { reason: 'Forbidden', message: (text) => text }],
  [404, constant('NotFound', 'the server could not find the requested resource')],
  [
    405,
    constant('MethodNotAllowed', 'the server does not allow this method on the requested resource'),
  ],
  [
    406,
    {
      reason: 'NotAcceptable',
      message: (said) =>
        said === '' || said === 'unknown'
          ? 'the server was unable to respond with a content type that the client supports'
          : said,
    },
  ],
  [409, constant('AlreadyExists', 'the server reported a conflict')],
  [415, { reason: 'UnsupportedMediaType', message: (said) => said }],
  [422, constant('Invalid', 'the server rejected our request due to an error in our request')],
  [
    429,
    constant(
      'TooManyRequests',
      'the server has received too many requests and has asked us to try again later',
    ),
  ],
  [503, constant('ServiceUnavailable', 'the server is currently unable to handle the request')],
  [
    504,
    constant(
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ),
  ],
]);
