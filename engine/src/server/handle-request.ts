/**
 * One request from its header fields to its answer: shape, authentication, authorization, endpoint,
 * and the line in the decision log. Nothing of a body is read before the caller is authorized.
 */
import { withoutProxyHeaders } from '../authenticators/authenticating-proxy/index.ts';
import { textOfLatin1 } from '../formats/byte-text.ts';
import { overloaded } from '../model/api-error.ts';
import { firstHeader, withoutCredentials } from '../model/header-list.ts';
import type { UserInfo } from '../model/user-info.ts';
import { type BearerReading, readBearerToken } from '../runtime/bearer-token.ts';
import { mask } from '../runtime/decision-log.ts';
import { addWarnings, answerDecided, type Told } from './answer-decided.ts';
import { authenticatorOf, decide, withAcceptableAudiences } from './decide-request.ts';
import { type DecisionRecord, writeDecision } from './decision-line.ts';
import { errorAnswer, textAnswer } from './http/answer.ts';
import type { Exchange, Incoming } from './http/exchange.ts';
import { requestInfo, tokenReviewInfo } from './http/request-info.ts';
import { parseTarget } from './http/target.ts';
import { requestLimits } from './limits.ts';
import { malformedReply } from './malformed-request.ts';
import { finish, type Reply } from './reply.ts';
import { countAuthentication } from './request-metrics.ts';
import type { RequestServices } from './request-services.ts';
import { timeoutProblem } from './requested-timeout.ts';
import type { Stage } from './stage.ts';

/** Makes the handler; it counts the requests at work. */
export const requestHandler = (services: RequestServices) => {
  let inFlight = 0;
  return async (incoming: Incoming): Promise<Reply> => {
    const malformed = malformedReply(incoming);
    if (malformed !== undefined) return malformed;
    if (inFlight >= services.inFlightLimit) return refuseForLoad(incoming, services);
    inFlight += 1;
    const { stage, release } = services.holder.acquire();
    try {
      return await handle(incoming, stage, services);
    } catch (error) {
      services.log.event('error', 'request failed', { error: mask(String(error)) });
      return finish(
        textAnswer(500, 'Internal Server Error\n'),
        { auditId: '', warnings: [] },
        true,
      );
    } finally {
      release();
      inFlight -= 1;
    }
  };
};

const refuseForLoad = (incoming: Incoming, services: RequestServices): Reply => {
  services.metrics.increment('authgraph_requests_shed_total');
  const exchange = exchangeOf(incoming, services);
  const answer = errorAnswer(exchange, overloaded(requestLimits.retryAfterSeconds));
  return finish(answer, { auditId: auditIdOf(incoming, services), warnings: [] }, false);
};

const exchangeOf = (incoming: Incoming, services: RequestServices): Exchange => {
  const { proxyHeaders } = services;
  const headers = withoutCredentials(incoming.headers);
  const target = parseTarget(incoming.rawTarget);
  if (target === undefined) throw new Error('unreachable: a target that was read before');
  return {
    method: incoming.method,
    headers: proxyHeaders === undefined ? headers : withoutProxyHeaders(headers, proxyHeaders),
    target,
    info: isWebhookPath(target.path, services)
      ? tokenReviewInfo(target, `authentication.${services.impersonation.domain}`)
      : requestInfo(incoming.method, target),
    warnings: [],
    readBody: (limit) => incoming.readBody(limit),
  };
};

const isWebhookPath = (path: string, { webhook }: RequestServices): boolean =>
  webhook !== undefined && webhook.path === path;

const handle = async (
  incoming: Incoming,
  stage: Stage,
  services: RequestServices,
): Promise<Reply> => {
  const exchange = exchangeOf(incoming, services);
  const auditId = auditIdOf(incoming, services);
  const untimely = timeoutProblem(exchange);
  if (untimely !== undefined) {
    return finish(errorAnswer(exchange, untimely), { auditId, warnings: [] }, false);
  }
  const started = services.clock.monotonic();
  const bearer = readBearerToken(firstText(incoming, 'authorization'));
  if (bearer.warning !== undefined) exchange.warnings.push(bearer.warning);
  const request = {
    path: exchange.target.path,
    token: bearer.token,
    audiences: services.apiAudiences,
    headers: incoming.headers,
    ...(incoming.certificates === undefined ? {} : { certificates: incoming.certificates }),
  };
  const around = { stage, incoming, services };
  const decided = await decide(request, authenticatorOf(incoming, stage), around);
  const decision = withAcceptableAudiences(decided, request);
  countAuthentication(services, decision, started);
  addWarnings(exchange, decision);
  const told: Told = {};
  const answer = await answerDecided(exchange, decision, { ...around, told });
  const { reviewed, impersonation, authorization, issued } = told;
  const record = {
    auditId,
    method: incoming.method,
    path: exchange.target.path,
    verb: verbOf(exchange),
    decision,
    attempted: decision.kind === 'accepted' ? [] : attemptedBy(incoming, bearer),
    graphHash: stage.graphHash,
    status: answer.status,
    problem: answer.problem,
    latencyMs: services.clock.monotonic() - started,
  };
  logDecision({ ...record, reviewed, impersonation, authorization, issued }, services);
  const close =
    incoming.httpMajor === 2 && (decision.kind !== 'accepted' || isNobody(decision.user));
  return finish(answer, { auditId, warnings: exchange.warnings }, close);
};

const verbOf = ({ info }: Exchange): string =>
  info.kind === 'resource' ? info.attributes.verb : info.verb;

const attemptedBy = (incoming: Incoming, bearer: BearerReading): readonly string[] => [
  ...(bearer.token === undefined ? [] : ['bearer']),
  ...(incoming.certificates === undefined ? [] : ['x509']),
];

/** The first field only, as Go's `Header.Get`. */
const firstText = (incoming: Incoming, lowerName: string): string | undefined => {
  const value = firstHeader(incoming.headers, lowerName);
  return value === undefined ? undefined : textOfLatin1(value);
};

const isNobody = (user: UserInfo): boolean =>
  user.username === 'system:anonymous' || user.groups.includes('system:unauthenticated');

/** The client's own id where it is harmless to print; ours else. */
const auditIdOf = (incoming: Incoming, services: RequestServices): string => {
  const given = firstHeader(incoming.headers, 'audit-id') ?? '';
  return /^[\x21-\x7e]{1,64}$/.test(given) ? given : services.randomness.uuid();
};

const logDecision = (record: DecisionRecord, services: RequestServices): void => {
  if (services.decisionLog === undefined) return;
  writeDecision(services.decisionLog, record, services.decisionFields);
};
