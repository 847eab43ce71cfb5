/**
 * One request from its header fields to its answer: shape, authentication, authorization, endpoint,
 * and the line in the decision log. Nothing of a body is read before the caller is authorized.
 */
import { overloaded } from '../model/api-error.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { UserInfo } from '../model/user-info.ts';
import { mask } from '../runtime/decision-log.ts';
import { addWarnings, answerDecided, type Told } from './answer-decided.ts';
import { authenticatorOf, decide, withAcceptableAudiences } from './decide-request.ts';
import { writeDecision } from './decision-line.ts';
import { errorAnswer, textAnswer } from './http/answer.ts';
import { compressed } from './http/compress.ts';
import type { Exchange, Incoming } from './http/exchange.ts';
import { timeIsOver } from './http/request-life.ts';
import { giveBack } from './http/send-stream.ts';
import { requestLimits } from './limits.ts';
import { finish, type Reply } from './reply.ts';
import { factsReader, type ReadableFacts } from './request-facts.ts';
import { countAuthentication } from './request-metrics.ts';
import type { RequestServices, Sent, Surroundings } from './request-services.ts';
import { inTime, lateAnswer } from './requested-timeout.ts';

/** Makes the handler; it counts the requests at work. */
export const requestHandler = (services: RequestServices) => {
  const factsOf = factsReader(services);
  let inFlight = 0;
  const failed = (error: unknown): Reply => {
    services.log.event('error', 'request failed', { error: mask(String(error)) });
    return finish(textAnswer(500, 'Internal Server Error\n'), { auditId: '', warnings: [] }, true);
  };
  const answer = async (incoming: Incoming, facts: ReadableFacts, sent: Sent): Promise<Reply> => {
    inFlight += 1;
    const { stage, release } = services.holder.acquire();
    try {
      return await handle({ incoming, facts, stage, services, sent });
    } catch (error) {
      return failed(error);
    } finally {
      release();
      inFlight -= 1;
    }
  };
  const begin = (incoming: Incoming): Reply | Promise<Reply> => {
    const facts = factsOf(incoming.head);
    if (facts.kind === 'answered') return facts.reply;
    if (inFlight >= services.inFlightLimit) return refuseForLoad(incoming, facts, services);
    const sent: Sent = {};
    if (facts.timeout?.kind !== 'within') return answer(incoming, facts, sent);
    return inTime(() => answer(incoming, facts, sent), {
      milliseconds: facts.timeout.milliseconds,
      clock: services.clock,
      late() {
        incoming.giveUp();
        sent.status = lateAnswer.status;
        return lateReply(auditIdOf(facts, services));
      },
    });
  };
  return (incoming: Incoming): Reply | Promise<Reply> => {
    try {
      return begin(incoming);
    } catch (error) {
      return failed(error);
    }
  };
};

/** Without warnings: who is late is told nothing of what was done till then. */
const lateReply = (auditId: string): Reply => finish(lateAnswer, { auditId, warnings: [] }, false);

const refuseForLoad = (
  incoming: Incoming,
  facts: ReadableFacts,
  services: RequestServices,
): Reply => {
  services.metrics.increment('authgraph_requests_shed_total');
  const answer = errorAnswer(
    exchangeOf(incoming, facts),
    overloaded(requestLimits.retryAfterSeconds),
  );
  return finish(answer, { auditId: auditIdOf(facts, services), warnings: [] }, false);
};

const exchangeOf = (
  incoming: Incoming,
  { exchange: { method, headers, target, info } }: ReadableFacts,
): Exchange => ({
  method,
  headers,
  target,
  info,
  warnings: [],
  readBody: (limit) => incoming.readBody(limit),
  isGivenUp: () => incoming.isGivenUp,
});

/** Waits only where there is something to wait for: most decisions come from memory. */
const handle = async (around: Surroundings): Promise<Reply> => {
  const { incoming, facts, stage, services, sent } = around;
  const exchange = exchangeOf(incoming, facts);
  const auditId = auditIdOf(facts, services);
  if (facts.timeout?.kind === 'problem') {
    return finish(errorAnswer(exchange, facts.timeout.error), { auditId, warnings: [] }, false);
  }
  const started = services.clock.monotonic();
  const request = requestOf(incoming, facts, services.apiAudiences);
  const deciding = decide(request, authenticatorOf(incoming, stage), around);
  const decided = deciding instanceof Promise ? await deciding : deciding;
  const decision = withAcceptableAudiences(decided, request);
  countAuthentication(services, decision, started);
  const { asksLoopback } = services;
  addWarnings(exchange, decision, { ofBearer: facts.bearer.warning, asksLoopback });
  const told: Told = {};
  const answering = answerDecided(exchange, decision, { around, told });
  const answered = answering instanceof Promise ? await answering : answering;
  const isLate = incoming.isGivenUp && incoming.signal.reason === timeIsOver;
  if (isLate && answered.stream !== undefined) void giveBack(answered.stream);
  const answer = isLate ? lateAnswer : answered;
  if (services.decisionLog !== undefined) {
    const { reviewed, impersonation, authorization, noted, issued } = told;
    const record = {
      auditId,
      method: exchange.method,
      path: exchange.target.path,
      verb: verbOf(exchange),
      decision,
      attempted: decision.kind === 'accepted' ? [] : attemptedBy(incoming, facts),
      graphHash: stage.graphHash,
      status: sent.status ?? answer.status,
      problem: answer.problem,
      latencyMs: services.clock.monotonic() - started,
      reviewed,
      impersonation,
      authorization,
      noted,
      issued,
    };
    writeDecision(services.decisionLog, record, services.decisionFields);
  }
  if (isLate) return lateReply(auditId);
  const close =
    services.endsUnauthenticated &&
    incoming.head.httpMajor === 2 &&
    (decision.kind !== 'accepted' || isNobody(decision.user));
  const pressing = compressed(answer, exchange);
  const final = pressing instanceof Promise ? await pressing : pressing;
  return finish(final, { auditId, warnings: exchange.warnings }, close);
};

const requestOf = (
  { head: { headers }, certificates }: Incoming,
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

const attemptedBy = (
  { certificates }: Incoming,
  { bearer: { token } }: ReadableFacts,
): readonly string[] => [
  ...(token === undefined ? [] : ['bearer']),
  ...(certificates === undefined ? [] : ['x509']),
];

const isNobody = (user: UserInfo): boolean =>
  user.username === 'system:anonymous' || user.groups.includes('system:unauthenticated');

/** The client's own id, or ours. */
const auditIdOf = ({ auditId }: ReadableFacts, { randomness }: RequestServices): string =>
  auditId ?? randomness.uuid();
