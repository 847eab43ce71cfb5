/**
 * Handles one request from its headers to its response: validation, authentication, authorization,
 * endpoint and decision log. The body is not read before the caller is authorized.
 */
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { responseOf } from '../api/status-error.ts';
import { RequestTurn } from '../fairness/request-turn.ts';
import { compress } from '../http/compress.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  errorResponse,
  type HandlerResponse,
  textResponse,
  tooManyRequestsResponse,
} from '../http/handler-response.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { completeResponse, type OutgoingResponse } from '../http/outgoing-response.ts';
import { deadlineExceeded } from '../http/request-lifetime.ts';
import { timeoutResponse, withTimeout } from '../http/requested-timeout.ts';
import { releaseStream } from '../http/send-stream.ts';
import { addWarnings, answerDecided } from './answer-decided.ts';
import { authenticatorOf, decide, withAcceptableAudiences } from './decide-request.ts';
import { type AuditDetails, writeDecision } from './decision-line.ts';
import { loggedClaims } from './logged-claims.ts';
import { factsReader, type ReadableFacts } from './request-facts.ts';
import { countAuthentication } from './request-metrics.ts';
import type { RequestContext, RequestServices, SentStatus } from './request-services.ts';

/** Creates the request handler. */
export const requestHandler = (services: RequestServices) => {
  const factsOf = factsReader(services);
  const begin = (incoming: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> => {
    const facts = factsOf(incoming.request);
    if (facts.kind === 'answered') return facts.response;
    const sent: SentStatus = {};
    if (facts.timeout?.kind !== 'within') return handle(services, incoming, facts, sent);
    return withTimeout(() => handle(services, incoming, facts, sent), {
      milliseconds: facts.timeout.milliseconds,
      clock: services.clock,
      onTimeout() {
        incoming.abandon();
        sent.status = timeoutResponse.status;
        return completeTimeoutResponse(auditIdOf(facts, services));
      },
    });
  };
  return (incoming: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> => {
    try {
      return begin(incoming);
    } catch (error) {
      return failedResponse(services, error);
    }
  };
};

const failedResponse = ({ log }: RequestServices, error: unknown): OutgoingResponse => {
  log.event('error', 'request failed', { error });
  return completeResponse(
    textResponse(500, 'Internal Server Error\n'),
    { auditId: '', warnings: [] },
    true,
  );
};

/** Returns the response of a request that timed out, without the warnings collected so far. */
const completeTimeoutResponse = (auditId: string): OutgoingResponse =>
  completeResponse(timeoutResponse, { auditId, warnings: [] }, false);

const exchangeOf = (
  incoming: IncomingRequest,
  { exchange: { method, headers, target, info } }: ReadableFacts,
  turn: RequestTurn,
): Exchange => ({
  method,
  headers,
  target,
  info,
  warnings: [],
  readBody: (limit) => turn.readBody(limit),
  isCanceled: () => incoming.isCanceled,
});

/** Handles a request with the generation that is current when it arrives. */
const handle = async (
  services: RequestServices,
  incoming: IncomingRequest,
  facts: ReadableFacts,
  sent: SentStatus,
): Promise<OutgoingResponse> => {
  const { generation, release } = services.holder.acquire();
  const turn = new RequestTurn(services.fairness, incoming, facts.exchange.info);
  const context: RequestContext = { incoming, facts, generation, services, sent, turn };
  // Awaits only pending promises, because most decisions come from a cache.
  try {
    const exchange = exchangeOf(incoming, facts, turn);
    const auditId = auditIdOf(facts, services);
    if (facts.timeout?.kind === 'problem') {
      return completeResponse(
        errorResponse(exchange, facts.timeout.error),
        { auditId, warnings: [] },
        false,
      );
    }
    const started = services.clock.monotonic();
    const request = requestOf(incoming, facts, services.apiAudiences);
    const deciding = decide(request, authenticatorOf(incoming, request, generation), context);
    const decided = deciding instanceof Promise ? await turn.authenticate(deciding) : deciding;
    // Refused: there is no decision to log.
    if (decided === undefined || turn.refuseOverloaded(decided, 'authentication')) {
      return overloadedResponse(auditId, context);
    }
    const decision = withAcceptableAudiences(decided, request);
    if (decision.kind === 'accepted' && decision.by !== 'anonymous') {
      incoming.setUsername(decision.user.username);
    }
    countAuthentication(services, decision, started);
    services.authenticationErrors.report(decision, auditId);
    const { checksLoopbackTokens } = services;
    addWarnings(exchange, decision, { bearerWarning: facts.bearer.warning, checksLoopbackTokens });
    const audit: AuditDetails = {};
    const responding = answerDecided(exchange, decision, { request: context, audit });
    let handlerResponse: HandlerResponse;
    try {
      handlerResponse = responding instanceof Promise ? await responding : responding;
    } catch (error) {
      handlerResponse = responseOf(exchange, error);
    }
    const isLate = incoming.isCanceled && incoming.signal.reason === deadlineExceeded;
    const response = isLate ? timeoutResponse : replaceIfShed(handlerResponse, context);
    if (response !== handlerResponse && handlerResponse.stream !== undefined)
      void releaseStream(handlerResponse.stream);
    logDecision({ exchange, decision, audit, auditId, response, started }, context);
    if (isLate) return completeTimeoutResponse(auditId);
    const compressing = compress(response, exchange);
    const final = compressing instanceof Promise ? await compressing : compressing;
    const close = endsConnection(decision, context);
    return completeResponse(final, { auditId, warnings: exchange.warnings }, close);
  } catch (error) {
    return failedResponse(services, error);
  } finally {
    turn.end();
    release();
  }
};

interface HandledRequest {
  readonly exchange: Exchange;
  readonly decision: Decision;
  readonly audit: AuditDetails;
  readonly auditId: string;
  readonly response: HandlerResponse;
  /** Monotonic time. */
  readonly started: number;
}

/** Writes the line of the decision log. */
const logDecision = (
  { exchange, decision, audit, auditId, response, started }: HandledRequest,
  { incoming, facts, generation, services, sent }: RequestContext,
): void => {
  if (services.decisionLog === undefined) return;
  const record = {
    ...audit,
    claims: loggedClaims(decision, facts.bearer.token, { services, generation }),
    reviewedClaims: loggedClaims(audit.reviewed, audit.reviewedToken, { services, generation }),
    auditId,
    method: exchange.method,
    path: exchange.target.path,
    verb: verbOf(exchange),
    decision,
    attempted: decision.kind === 'accepted' ? [] : attemptedCredentials(incoming, facts),
    graphHash: generation.graphHash,
    status: sent.status ?? response.status,
    problem: response.errorMessage,
    latencyMs: services.clock.monotonic() - started,
  };
  writeDecision(services.decisionLog, record, services.decisionFields);
};

/** Returns whether the request is the last one of its HTTP/2 connection. */
const endsConnection = (decision: Decision, { incoming, services }: RequestContext): boolean =>
  incoming.request.httpMajor === 2 &&
  ((services.endsUnauthenticated &&
    (decision.kind !== 'accepted' || isUnauthenticated(decision.user))) ||
    (services.goawayChance > 0 && services.randomness.fraction() < services.goawayChance));

/** Replaces the response of a shed request with a 429. */
const replaceIfShed = (
  response: HandlerResponse,
  { turn, services }: RequestContext,
): HandlerResponse => {
  const { refusedBy } = turn;
  if (refusedBy === undefined) return response;
  services.metrics.increment('authgraph_requests_shed_total', { phase: refusedBy });
  return tooManyRequestsResponse;
};

const overloadedResponse = (auditId: string, context: RequestContext): OutgoingResponse =>
  completeResponse(
    replaceIfShed(tooManyRequestsResponse, context),
    { auditId, warnings: [] },
    false,
  );

const requestOf = (
  { request: { headers }, certificates }: IncomingRequest,
  { exchange, bearer: { token } }: ReadableFacts,
  audiences: readonly string[],
): AuthenticationRequest => {
  const { path } = exchange.target;
  return certificates === undefined
    ? { path, token, audiences, headers }
    : { path, token, audiences, headers, certificates };
};

const verbOf = ({ info }: Exchange): string =>
  info.kind === 'resource' ? info.attributes.verb : info.verb;

const attemptedCredentials = (
  { certificates }: IncomingRequest,
  { bearer: { token } }: ReadableFacts,
): readonly string[] => [
  ...(token === undefined ? [] : ['bearer']),
  ...(certificates === undefined ? [] : ['x509']),
];

const isUnauthenticated = (user: UserInfo): boolean =>
  user.username === 'system:anonymous' || user.groups.includes('system:unauthenticated');

/** Returns the client's audit ID, or a new one. */
const auditIdOf = ({ auditId }: ReadableFacts, { randomness }: RequestServices): string =>
  auditId ?? randomness.uuid();
