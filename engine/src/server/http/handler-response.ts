/** An answer before it is on the wire, and the ways to make one. */

import type { OutputMap } from '../../formats/output-value.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import type { ApiError } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import { requestLimits } from '../limits.ts';
import {
  type ResponseClass,
  contentTypeOf,
  type Format,
  outputFormat,
} from '../wire/media-type.ts';
import { statusObject } from '../wire/status.ts';
import { writeJson, writePrettyJson } from '../wire/write-json.ts';
import { writeProtobuf } from '../wire/write-protobuf.ts';
import type { Exchange } from './exchange.ts';
import { memoizeRecent } from './memoize-recent.ts';
import { queryValue } from './target.ts';

export interface HandlerResponse {
  readonly status: number;
  /** Beside Content-Length and those that every answer has. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
  /** An API object in a form that was asked for: it may be sent compressed. */
  readonly isObject?: true;
  /** The message of a refusal that the client could be told in the form that it asked for. */
  readonly errorMessage?: string;
  /** Sent instead of the body, piece by piece, until it ends by itself or by the signal. */
  readonly stream?: ResponseStream;
}

/** The signal: the client has gone, or the server goes. One piece is asked for when the last is sent. */
export type ResponseStream = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

const noSniff = ['X-Content-Type-Options', 'nosniff'] as const;

/** Plain text of the health endpoints. */
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

/** JSON that is no API object, indented as the real server writes it. */
export const rawJsonResponse = (status: number, object: OutputMap): HandlerResponse => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: writePrettyJson(object),
});

/** An API object in the form that the client asked for. */
export const objectResponse = (
  exchange: Exchange,
  status: number,
  object: OutputMap,
  responseClass: ResponseClass = 'plain',
): HandlerResponse => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), responseClass);
  // A client that can take nothing gets the refusal all the same.
  if (choice === undefined) return rawJsonResponse(status, object);
  if (choice.format === 'yaml') return inFormat(status, 'yaml', writeYaml(object));
  const protobuf = choice.format === 'protobuf' ? writeProtobuf(object) : undefined;
  if (protobuf !== undefined) return inFormat(status, 'protobuf', protobuf);
  const isPretty = choice.pretty || wantsPretty(exchange);
  return inFormat(status, 'json', isPretty ? writePrettyJson(object) : writeJson(object));
};

/** Would `objectAnswer` write compact JSON? Then who has the text already need not make the object. */
export const wantsCompactJson = (exchange: Exchange, responseClass: ResponseClass): boolean => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), responseClass);
  const isPlain = choice?.format === 'json' && choice.form === undefined;
  return isPlain && !choice.pretty && !wantsPretty(exchange);
};

/** An API object that was written as compact JSON. */
export const compactJsonResponse = (status: number, bytes: Uint8Array): HandlerResponse =>
  inFormat(status, 'json', bytes);

/** A refusal. */
export const errorResponse = (exchange: Exchange, error: ApiError): HandlerResponse => {
  const response = objectResponse(exchange, error.code, statusObject(error));
  const isAcceptable = outputFormat(firstHeader(exchange.headers, 'accept'), 'plain') !== undefined;
  const described = isAcceptable ? { ...response, errorMessage: error.message } : response;
  const retryAfter = error.details?.retryAfterSeconds;
  return retryAfter === undefined
    ? described
    : { ...described, headers: [...described.headers, ['Retry-After', String(retryAfter)]] };
};

/** A refusal of the authorizer or of impersonation; these alone forbid sniffing. */
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

/** `?pretty=…` decides; else the user agents that people sit behind get indentation. */
const wantsPretty = (exchange: Exchange): boolean => {
  const requested = queryValue(exchange.target, 'pretty');
  if (requested !== '') return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(requested);
  return isInteractiveClient(firstHeader(exchange.headers, 'user-agent') ?? '');
};

const isInteractiveClient = memoizeRecent((agent) => /^(?:curl|Wget|Mozilla\/5\.0)/.test(agent));
