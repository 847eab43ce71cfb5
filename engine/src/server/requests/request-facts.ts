/**
 * What the header block of a request contains, before any authentication. It is parsed once for
 * each header block, which many requests of a connection share.
 */
import { withoutProxyHeaders } from '../../authenticators/authenticating-proxy/index.ts';
import { decodeLatin1 } from '../../formats/byte-string.ts';
import { firstHeader, withoutCredentials } from '../../model/header-list.ts';
import { type BearerReading, readBearerToken } from '../../runtime/bearer-token.ts';
import type { Exchange, RawRequest } from '../http/exchange.ts';
import { requestInfo, tokenReviewInfo } from '../http/request-info.ts';
import { type RequestedTimeout, requestedTimeout } from '../http/requested-timeout.ts';
import type { SentResponse } from '../http/sent-response.ts';
import { type Target, targetOf } from '../http/target.ts';
import { requestsImpersonation } from './impersonation.ts';
import { malformedReply } from './malformed-request.ts';
import type { RequestServices } from './request-services.ts';

export type RequestFacts =
  | { readonly kind: 'answered'; readonly reply: SentResponse }
  | ReadableFacts;

export interface ReadableFacts {
  readonly kind: 'readable';
  /** The request without credentials and proxy headers. */
  readonly exchange: Pick<Exchange, 'method' | 'headers' | 'target' | 'info'>;
  readonly bearer: BearerReading;
  /** The `timeout` query parameter, or the error in it. */
  readonly timeout: RequestedTimeout | undefined;
  /** Whether the request asks for impersonation. */
  readonly impersonates: boolean;
  /** The client's audit ID, if it is safe to print. */
  readonly auditId: string | undefined;
}

type FactsServices = Pick<RequestServices, 'proxyHeaders' | 'webhook' | 'impersonation'>;

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
  const reply = malformedReply(request) ?? optionsReply(request);
  if (reply !== undefined) return { kind: 'answered', reply };
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
const optionsReply = ({ method, rawTarget }: RawRequest): SentResponse | undefined =>
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
