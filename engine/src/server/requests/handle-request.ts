/**
 * One request from its header fields to its answer: shape, authentication, authorization, endpoint,
 * and the line in the decision log. Nothing of a body is read before the caller is authorized.
 */
import type { AuthenticationRequest } from '../../model/request.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { RequestTurn } from '../fairness/request-turn.ts';
import { type Answer, errorAnswer, textAnswer, tooManyRequestsAnswer } from '../http/answer.ts';
import { finish, type Reply } from '../http/complete-answer.ts';
import { compressed } from '../http/compress.ts';
import type { Exchange, Incoming } from '../http/exchange.ts';
import { timeIsOver } from '../http/request-life.ts';
import { inTime, lateAnswer } from '../http/requested-timeout.ts';
import { giveBack } from '../http/send-stream.ts';
import { addWarnings, answerDecided, type Told } from './answer-decided.ts';
import { authenticatorOf, decide, withAcceptableAudiences } from './decide-request.ts';
import { writeDecision } from './decision-line.ts';
import { factsReader, type ReadableFacts } from './request-facts.ts';
import { countAuthentication } from './request-metrics.ts';
import type { RequestServices, Sent, Surroundings } from './request-services.ts';

/** Makes the handler. */
export const requestHandler = (services: RequestServices) => {
  const factsOf = factsReader(services);
  const failed = (error: unknown): Reply => {
    services.log.event('error', 'request failed', { error });
    return finish(textAnswer(500, 'Internal Server Error\n'), { auditId: '', warnings: [] }, true);
  };
  const answer = async (incoming: Incoming, facts: ReadableFacts, sent: Sent): Promise<Reply> => {
    const { stage, release } = services.holder.acquire();
    const turn = new RequestTurn(services.fairness, incoming, facts.exchange.info);
    try {
      return await handle({ incoming, facts, stage, services, sent, turn });
    } catch (error) {
      return failed(error);
    } finally {
      turn.end();
      release();
    }
  };
  const begin = (incoming: Incoming): Reply | Promise<Reply> => {
    const facts = factsOf(incoming.head);
    if (facts.kind === 'answered') return facts.reply;
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

const exchangeOf = (
  incoming: Incoming,
  { exchange: { method, headers, target, info } }: ReadableFacts,
  turn: RequestTurn,
): Exchange => ({
  method,
  headers,
  target,
  info,
  warnings: [],
  readBody: (limit) => turn.readBody(limit),
  isGivenUp: () => incoming.isGivenUp,
});

/** Waits only where there is something to wait for: most decisions come from memory. */
const handle = async (around: Surroundings): Promise<Reply> => {
  const { incoming, facts, stage, services, sent, turn } = around;
  const exchange = exchangeOf(incoming, facts, turn);
  const auditId = auditIdOf(facts, services);
  if (facts.timeout?.kind === 'problem') {
    return finish(errorAnswer(exchange, facts.timeout.error), { auditId, warnings: [] }, false);
  }
  const started = services.clock.monotonic();
  const request = requestOf(incoming, facts, services.apiAudiences);
  const deciding = decide(request, authenticatorOf(incoming, stage), around);
  const decided = deciding instanceof Promise ? await turn.authenticate(deciding) : deciding;
  // Not decided, and so not logged as a decision.
  if (decided === undefined || turn.refuseOverloaded(decided, 'authentication')) {
    return refusedReply(auditId, around);
  }
  const decision = withAcceptableAudiences(decided, request);
  if (decision.kind === 'accepted' && decision.by !== 'anonymous') {
    incoming.knownAs(decision.user.username);
  }
  countAuthentication(services, decision, started);
  services.authenticationErrors.report(decision, auditId);
  const { asksLoopback } = services;
  addWarnings(exchange, decision, { ofBearer: facts.bearer.warning, asksLoopback });
  const told: Told = {};
  const answering = answerDecided(exchange, decision, { around, told });
  const answered = answering instanceof Promise ? await answering : answering;
  const isLate = incoming.isGivenUp && incoming.signal.reason === timeIsOver;
  const answer = isLate ? lateAnswer : unlessRefused(answered, around);
  if (answer !== answered && answered.stream !== undefined) void giveBack(answered.stream);
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
    incoming.head.httpMajor === 2 &&
    ((services.endsUnauthenticated && (decision.kind !== 'accepted' || isNobody(decision.user))) ||
      (services.goawayChance > 0 && services.randomness.fraction() < services.goawayChance));
  const pressing = compressed(answer, exchange);
  const final = pressing instanceof Promise ? await pressing : pressing;
  return finish(final, { auditId, warnings: exchange.warnings }, close);
};

/** Replaces the answer of a refused request with a 429. */
const unlessRefused = (answer: Answer, { turn, services }: Surroundings): Answer => {
  const { refusedBy } = turn;
  if (refusedBy === undefined) return answer;
  services.metrics.increment('authgraph_requests_shed_total', { phase: refusedBy });
  return tooManyRequestsAnswer;
};

const refusedReply = (auditId: string, around: Surroundings): Reply =>
  finish(unlessRefused(tooManyRequestsAnswer, around), { auditId, warnings: [] }, false);

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
