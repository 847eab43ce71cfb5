/**
 * What the head of a request says by itself, before anything is asked of anybody: read once for each
 * head, which many requests of a connection share.
 */
import { withoutProxyHeaders } from '../../authenticators/authenticating-proxy/index.ts';
import { textOfLatin1 } from '../../formats/byte-string.ts';
import { firstHeader, withoutCredentials } from '../../model/header-list.ts';
import { type BearerReading, readBearerToken } from '../../runtime/bearer-token.ts';
import type { Reply } from '../http/complete-answer.ts';
import type { Exchange, RequestHead } from '../http/exchange.ts';
import { requestInfo, tokenReviewInfo } from '../http/request-info.ts';
import { type RequestedTimeout, requestedTimeout } from '../http/requested-timeout.ts';
import { type Target, targetOf } from '../http/target.ts';
import { asksToImpersonate } from './impersonation.ts';
import { malformedReply } from './malformed-request.ts';
import type { RequestServices } from './request-services.ts';

export type RequestFacts = { readonly kind: 'answered'; readonly reply: Reply } | ReadableFacts;

export interface ReadableFacts {
  readonly kind: 'readable';
  /** Without credentials and the fields of a proxy. */
  readonly exchange: Pick<Exchange, 'method' | 'headers' | 'target' | 'info'>;
  readonly bearer: BearerReading;
  /** The `timeout` of the query, or what is wrong with it. */
  readonly timeout: RequestedTimeout | undefined;
  /** Does it ask to act as somebody else? */
  readonly impersonates: boolean;
  /** The client's own id where it is harmless to print. */
  readonly auditId: string | undefined;
}

type Fixed = Pick<RequestServices, 'proxyHeaders' | 'webhook' | 'impersonation'>;

/** For the requests of one server. */
export const factsReader = (services: Fixed): ((head: RequestHead) => RequestFacts) => {
  const known = new WeakMap<RequestHead, RequestFacts>();
  return (head) => {
    const before = known.get(head);
    if (before !== undefined) return before;
    const facts = readFacts(head, services);
    known.set(head, facts);
    return facts;
  };
};

const readFacts = (head: RequestHead, services: Fixed): RequestFacts => {
  const reply = malformedReply(head) ?? optionsReply(head);
  if (reply !== undefined) return { kind: 'answered', reply };
  const exchange = exchangeOf(head, services);
  return {
    kind: 'readable',
    exchange,
    bearer: readBearerToken(firstText(head, 'authorization')),
    timeout: requestedTimeout(exchange),
    impersonates: asksToImpersonate(exchange.headers),
    auditId: printableAuditId(firstHeader(head.headers, 'audit-id') ?? ''),
  };
};

/** What the server itself can do, which its HTTP layer answers: nobody is asked who wants to know. */
const optionsReply = ({ method, rawTarget }: RequestHead): Reply | undefined =>
  method === 'OPTIONS' && rawTarget === '*'
    ? { status: 200, headers: [], body: '', close: false }
    : undefined;

const exchangeOf = (head: RequestHead, services: Fixed): ReadableFacts['exchange'] => {
  const { proxyHeaders } = services;
  const headers = withoutCredentials(head.headers);
  const target = targetOf(head);
  if (target === undefined) throw new Error('unreachable: a target that was read before');
  return {
    method: head.method,
    headers: proxyHeaders === undefined ? headers : withoutProxyHeaders(headers, proxyHeaders),
    target,
    info: isWebhookPath(target, services)
      ? tokenReviewInfo(target, `authentication.${services.impersonation.domain}`)
      : requestInfo(head.method, target),
  };
};

const isWebhookPath = ({ path }: Target, { webhook }: Fixed): boolean =>
  webhook !== undefined && webhook.path === path;

/** The first field only, as Go's `Header.Get`. */
const firstText = ({ headers }: RequestHead, lowerName: string): string | undefined => {
  const value = firstHeader(headers, lowerName);
  return value === undefined ? undefined : textOfLatin1(value);
};

const printableAuditId = (given: string): string | undefined =>
  /^[\x21-\x7e]{1,64}$/.test(given) ? given : undefined;
