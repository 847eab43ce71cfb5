/** Responses as handlers return them, and functions that create them. */

import type { OutputMap } from '../../formats/output-value.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import type { ApiError } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import { requestLimits } from '../limits.ts';
import {
  contentTypeOf,
  type Format,
  outputFormat,
  type ResponseClass,
} from '../wire/media-type.ts';
import { statusObject } from '../wire/status.ts';
import { writeJson, writePrettyJson } from '../wire/write-json.ts';
import { writeProtobuf } from '../wire/write-protobuf.ts';
import type { Exchange } from './exchange.ts';
import { memoizeRecent } from './memoize-recent.ts';
import { queryValue } from './target.ts';

export interface HandlerResponse {
  readonly status: number;
  /** Header fields in addition to Content-Length and to those that every response has. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
  /** Set for an API object in the requested format: it may be sent compressed. */
  readonly isObject?: true;
  /** The message of an error that was sent in a format the client accepts. */
  readonly errorMessage?: string;
  /** A stream that is sent instead of the body, until it ends or its signal aborts. */
  readonly stream?: ResponseStream;
}

/**
 * The signal aborts when the client disconnects or the server shuts down. Each piece is requested
 * once the previous one has been sent.
 */
export type ResponseStream = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

const noSniff = ['X-Content-Type-Options', 'nosniff'] as const;

/** Creates a plain-text response, as the health endpoints send it. */
export const textResponse = (status: number, body: string): HandlerResponse => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8'], noSniff],
  body,
});

/** kube-apiserver's 429, which is plain text for every `Accept` header. */
export const tooManyRequestsResponse: HandlerResponse = {
  status: 429,
  headers: [
    ['Retry-After', String(requestLimits.retryAfterSeconds)],
    ['Content-Type', 'text/plain; charset=utf-8'],
    noSniff,
  ],
  body: 'Too many requests, please try again later.\n',
  errorMessage: 'Too many requests, please try again later.',
};

/** Creates a response with JSON that is not an API object, indented as kube-apiserver writes it. */
export const rawJsonResponse = (status: number, object: OutputMap): HandlerResponse => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: writePrettyJson(object),
});

/** Creates a response with an API object in the format that the client accepts. */
export const objectResponse = (
  exchange: Exchange,
  status: number,
  object: OutputMap,
  responseClass: ResponseClass = 'plain',
): HandlerResponse => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), responseClass);
  // A client that accepts no supported format still gets the error.
  if (choice === undefined) return rawJsonResponse(status, object);
  if (choice.format === 'yaml') return inFormat(status, 'yaml', writeYaml(object));
  const protobuf = choice.format === 'protobuf' ? writeProtobuf(object) : undefined;
  if (protobuf !== undefined) return inFormat(status, 'protobuf', protobuf);
  const isPretty = choice.pretty || wantsPretty(exchange);
  return inFormat(status, 'json', isPretty ? writePrettyJson(object) : writeJson(object));
};

/**
 * True if `objectResponse` would write compact JSON. Callers that already have the JSON need not
 * build the object then.
 */
export const wantsCompactJson = (exchange: Exchange, responseClass: ResponseClass): boolean => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), responseClass);
  const isPlain = choice?.format === 'json' && choice.form === undefined;
  return isPlain && !choice.pretty && !wantsPretty(exchange);
};

/** Creates a response with an API object that is already written as compact JSON. */
export const compactJsonResponse = (status: number, bytes: Uint8Array): HandlerResponse =>
  inFormat(status, 'json', bytes);

/** Creates an error response with a Status object. */
export const errorResponse = (exchange: Exchange, error: ApiError): HandlerResponse => {
  const response = objectResponse(exchange, error.code, statusObject(error));
  const isAcceptable = outputFormat(firstHeader(exchange.headers, 'accept'), 'plain') !== undefined;
  const described = isAcceptable ? { ...response, errorMessage: error.message } : response;
  const retryAfter = error.details?.retryAfterSeconds;
  return retryAfter === undefined
    ? described
    : { ...described, headers: [...described.headers, ['Retry-After', String(retryAfter)]] };
};

/**
 * Creates an error response of the authorizer or of impersonation; only these set
 * `X-Content-Type-Options`.
 */
export const forbiddenResponse = (exchange: Exchange, error: ApiError): HandlerResponse => {
  const response = errorResponse(exchange, error);
  return { ...response, headers: [...response.headers, noSniff] };
};

const inFormat = (status: number, format: Format, body: string | Uint8Array): HandlerResponse => ({
  status,
  headers: typeHeaders[format],
  body,
  isObject: true,
});

const typeHeaders: Readonly<Record<Format, HandlerResponse['headers']>> = {
  json: [['Content-Type', contentTypeOf('json')]],
  yaml: [['Content-Type', contentTypeOf('yaml')]],
  protobuf: [['Content-Type', contentTypeOf('protobuf')]],
};

/**
 * Returns the value of `?pretty=…`; without it, user agents of people (curl, Wget, browsers) get
 * indented JSON.
 */
const wantsPretty = (exchange: Exchange): boolean => {
  const requested = queryValue(exchange.target, 'pretty');
  if (requested !== '') return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(requested);
  return isInteractiveClient(firstHeader(exchange.headers, 'user-agent') ?? '');
};

const isInteractiveClient = memoizeRecent((agent) => /^(?:curl|Wget|Mozilla\/5\.0)/.test(agent));
