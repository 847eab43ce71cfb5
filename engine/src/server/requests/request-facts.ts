/**
 * What the header block of a request contains, before any authentication. It is parsed once for
 * each header block, which many requests of a connection share.
 */

import {
  type HeaderNames,
  withoutProxyHeaders,
} from '../../authenticators/authenticating-proxy/header-rules.ts';
import { decodeLatin1 } from '../../formats/byte-string.ts';
import {
  allHeaders,
  firstHeader,
  type HeaderField,
  isNamed,
  withoutCredentials,
} from '../../model/header-list.ts';
import { type BearerReading, readBearerToken } from '../../runtime/bearer-token.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RawRequest } from '../http/incoming-request.ts';
import { type OutgoingResponse, plainErrorResponse } from '../http/outgoing-response.ts';
import { requestInfo, tokenReviewInfo } from '../http/request-info.ts';
import { type RequestedTimeout, requestedTimeout } from '../http/requested-timeout.ts';
import { type Target, targetOf } from '../http/target.ts';
import { headerLimits } from '../limits.ts';
import { requestsImpersonation } from './impersonation.ts';

export type RequestFacts =
  | { readonly kind: 'answered'; readonly response: OutgoingResponse }
  | ReadableFacts;

export interface ReadableFacts {
  readonly kind: 'readable';
  /** The request without credentials and proxy headers. */
  readonly exchange: Pick<Exchange, 'method' | 'headers' | 'target' | 'info'>;
  readonly bearer: BearerReading;
  /** The `timeout` query parameter, or the error in it. */
  readonly timeout: RequestedTimeout | undefined;
  /** Whether the request has impersonation headers. */
  readonly impersonates: boolean;
  /** The client's audit ID, if it is safe to print. */
  readonly auditId: string | undefined;
}

interface FactsServices {
  /** The headers that are removed after authentication, whichever module accepted the request. */
  readonly proxyHeaders: HeaderNames | undefined;
  readonly webhook: { readonly path: string } | undefined;
  readonly impersonation: { readonly domain: string };
}

/** Creates a cached reader of header blocks. */
export const factsReader = (services: FactsServices): ((request: RawRequest) => RequestFacts) => {
  const cache = new WeakMap<RawRequest, RequestFacts>();
  return (request) => {
    const cached = cache.get(request);
    if (cached !== undefined) return cached;
    const facts = readFacts(request, services);
    cache.set(request, facts);
    return facts;
  };
};

const readFacts = (request: RawRequest, services: FactsServices): RequestFacts => {
  const response = malformedRequestResponse(request) ?? optionsResponse(request);
  if (response !== undefined) return { kind: 'answered', response };
  const exchange = exchangeOf(request, services);
  return {
    kind: 'readable',
    exchange,
    bearer: readBearerToken(firstHeaderString(request, 'authorization')),
    timeout: requestedTimeout(exchange),
    impersonates: requestsImpersonation(exchange.headers),
    auditId: printableAuditId(firstHeader(request.headers, 'audit-id') ?? ''),
  };
};

/** Returns the response to `OPTIONS *`, which needs no authentication. */
const optionsResponse = ({ method, rawTarget }: RawRequest): OutgoingResponse | undefined =>
  method === 'OPTIONS' && rawTarget === '*'
    ? { status: 200, headers: [], body: '', close: false }
    : undefined;

const exchangeOf = (request: RawRequest, services: FactsServices): ReadableFacts['exchange'] => {
  const { proxyHeaders } = services;
  const headers = withoutCredentials(request.headers);
  const target = targetOf(request);
  if (target === undefined) throw new Error('unreachable: a target that was read before');
  return {
    method: request.method,
    headers: proxyHeaders === undefined ? headers : withoutProxyHeaders(headers, proxyHeaders),
    target,
    info: isWebhookPath(target, services)
      ? tokenReviewInfo(target, `authentication.${services.impersonation.domain}`)
      : requestInfo(request.method, target),
  };
};

const isWebhookPath = ({ path }: Target, { webhook }: FactsServices): boolean =>
  webhook !== undefined && webhook.path === path;

/** Returns the first value only, as Go's `Header.Get`. */
const firstHeaderString = ({ headers }: RawRequest, lowerName: string): string | undefined => {
  const value = firstHeader(headers, lowerName);
  return value === undefined ? undefined : decodeLatin1(value);
};

const printableAuditId = (auditId: string): string | undefined =>
  /^[\x21-\x7e]{1,64}$/.test(auditId) ? auditId : undefined;

/** Returns the error response; `undefined` for a well-formed request. */
const malformedRequestResponse = (request: RawRequest): OutgoingResponse | undefined => {
  const { headers } = request;
  if (request.fieldCount > headerLimits.fields)
    return plainErrorResponse(431, 'Request Header Fields Too Large');
  if (request.rawTarget.length > headerLimits.targetBytes) {
    return plainErrorResponse(414, 'URI Too Long');
  }
  if (headers.some(isTooLong)) return plainErrorResponse(431, 'Request Header Fields Too Large');
  if (request.httpMajor === 1) {
    const hosts = allHeaders(headers, 'host');
    if (hosts.length > 1) return plainErrorResponse(400, 'Bad Request');
    if (hosts.length === 0 && request.httpMinor > 0) {
      return plainErrorResponse(400, 'Bad Request: missing required Host header');
    }
    if (!hostCharacters.test(hosts[0] ?? '')) {
      return plainErrorResponse(400, 'Bad Request: malformed Host header');
    }
  }
  return targetOf(request) === undefined ? plainErrorResponse(400, 'Bad Request') : undefined;
};

const isTooLong = (field: HeaderField): boolean =>
  field.value.length > headerLimits.fieldBytes && !tokenFields.some((name) => isNamed(field, name));

/** Names of the fields that carry tokens, which have a limit of their own. */
const tokenFields = ['authorization', 'sec-websocket-protocol'];

const hostCharacters = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;
