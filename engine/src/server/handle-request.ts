/**
 * One request from its header fields to its answer: shape, authentication, authorization, endpoint,
 * and the line in the decision log. Nothing of a body is read before the caller is authorized.
 */

import {
  type HeaderNames,
  withoutProxyHeaders,
} from '../authenticators/authenticating-proxy/index.ts';
import { quoteByteText, textOfLatin1 } from '../formats/byte-text.ts';
import { overloaded, unauthorized } from '../model/api-error.ts';
import type { Decision } from '../model/decision.ts';
import { allHeaders, firstHeader, withoutCredentials } from '../model/header-list.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Randomness } from '../ports/randomness.ts';
import { precededBy } from '../runtime/authenticate.ts';
import { type BearerReading, readBearerToken } from '../runtime/bearer-token.ts';
import { mask } from '../runtime/decision-log.ts';
import type { Asked, Impersonator } from '../runtime/impersonate.ts';
import {
  type AuthorizationRecord,
  type DecisionRecord,
  type ImpersonationRecord,
  writeDecision,
} from './decision-line.ts';
import { type EndpointContext, endpointAnswer } from './endpoint-answer.ts';
import { forbidden } from './forbidden.ts';
import { type Answer, errorAnswer, forbiddenAnswer, textAnswer } from './http/answer.ts';
import type { Exchange, Incoming } from './http/exchange.ts';
import { requestInfo, tokenReviewInfo } from './http/request-info.ts';
import { parseTarget } from './http/target.ts';
import { warningHeaders } from './http/warnings.ts';
import {
  impersonationScope,
  namelessRefusal,
  readImpersonation,
  withoutImpersonation,
} from './impersonation.ts';
import { headerLimits, requestLimits } from './limits.ts';
import { countAuthentication, countAuthorization } from './request-metrics.ts';
import type { Stage, StageHolder } from './stage.ts';

export interface RequestServices
  extends Pick<EndpointContext, 'serverAddress' | 'version' | 'metricsText' | 'healthChecks'> {
  readonly objects: EndpointContext['objects'] | undefined;
  readonly webhook: EndpointContext['webhook'] | undefined;
  readonly tokenRequests: Omit<NonNullable<EndpointContext['tokenRequests']>, 'issued'> | undefined;
  readonly issuerDocuments: EndpointContext['issuerDocuments'] | undefined;
  readonly holder: StageHolder;
  readonly authorizer: Authorizer;
  readonly apiAudiences: readonly string[];
  /** Fields that are gone once the request is decided, whoever decided it. */
  readonly proxyHeaders: HeaderNames | undefined;
  readonly impersonation: {
    readonly impersonate: Impersonator;
    /** The feature gate ConstrainedImpersonation. */
    readonly constrained: boolean;
    /** Whose names stand in refusals, `k8s.io`. */
    readonly domain: string;
  };
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly decisionLog: Log | undefined;
  readonly decisionFields: { readonly groups: boolean; readonly extra: boolean };
  readonly metrics: Metrics;
  /** Requests at work at most. */
  readonly inFlightLimit: number;
}

export interface Reply extends Answer {
  /** End the connection after this answer. */
  readonly close: boolean;
}

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

/** What is answered before anything is believed: broken targets, too many or contradicting fields. */
const malformedReply = (incoming: Incoming): Reply | undefined => {
  const { headers } = incoming;
  if (headers.length > headerLimits.fields)
    return plainRefusal(431, 'Request Header Fields Too Large');
  if (incoming.httpMajor === 1) {
    const hosts = allHeaders(headers, 'host');
    if (hosts.length > 1) return plainRefusal(400, 'Bad Request');
    if (hosts.length === 0 && incoming.httpMinor > 0) {
      return plainRefusal(400, 'Bad Request: missing required Host header');
    }
    if (!hostCharacters.test(hosts[0] ?? '')) {
      return plainRefusal(400, 'Bad Request: malformed Host header');
    }
  }
  return parseTarget(incoming.rawTarget) === undefined
    ? plainRefusal(400, 'Bad Request')
    : undefined;
};

const hostCharacters = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/** One line of plain text, and the connection is over. */
const plainRefusal = (status: number, text: string): Reply => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: `${status} ${text}`,
  close: true,
});

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

/** What is to be logged of the way to the answer, as far as it went. */
interface Told {
  reviewed?: Decision;
  /** Set before anything is done under the other name. */
  impersonation?: ImpersonationRecord;
  authorization?: AuthorizationRecord;
  /** What is noted about a token that was made. */
  issued?: ReadonlyMap<string, string>;
}

const verbOf = ({ info }: Exchange): string =>
  info.kind === 'resource' ? info.attributes.verb : info.verb;

/** What a module had to say to the client of an accepted credential. */
const addWarnings = (exchange: Exchange, decision: Decision): void => {
  if (decision.kind !== 'accepted' || decision.remarks === undefined) return;
  exchange.warnings.push(...decision.remarks.warnings);
};

const attemptedBy = (incoming: Incoming, bearer: BearerReading): readonly string[] => [
  ...(bearer.token === undefined ? [] : ['bearer']),
  ...(incoming.certificates === undefined ? [] : ['x509']),
];

interface Surroundings {
  readonly stage: Stage;
  readonly incoming: Incoming;
  readonly services: RequestServices;
}

const answerDecided = async (
  exchange: Exchange,
  decision: Decision,
  around: Surroundings & { readonly told: Told },
): Promise<Answer> => {
  const { services, told } = around;
  if (decision.kind !== 'accepted') return errorAnswer(exchange, unauthorized);
  const wanted = readImpersonation(exchange.headers);
  if (wanted === undefined) return answerAs(exchange, decision.user, around);
  const nameless = namelessRefusal(wanted, services.impersonation);
  if (nameless !== undefined) return forbiddenAnswer(exchange, nameless);
  const outcome = await services.impersonation.impersonate({
    wanted,
    requestor: decision.user,
    request: askedFor(exchange),
    scope: impersonationScope(exchange),
  });
  if (outcome.kind === 'denied') {
    told.impersonation = { decision: 'denied', user: wanted, constraint: '' };
    const error = forbidden({ user: decision.user, ...outcome.asked }, outcome.reason);
    return forbiddenAnswer(exchange, error);
  }
  const { user, constraint } = outcome;
  told.impersonation = { decision: 'allowed', user, constraint };
  const headers = withoutImpersonation(exchange.headers);
  return answerAs({ ...exchange, headers }, user, around);
};

/** The answer under this name, which is the caller's own or the one it acts as. */
const answerAs = async (
  exchange: Exchange,
  user: UserInfo,
  around: Surroundings & { readonly told: Told },
): Promise<Answer> => {
  const { services, told } = around;
  const refusal = await authorizationRefusal(exchange, user, around);
  if (refusal !== undefined) return refusal;
  return endpointAnswer(exchange, {
    user,
    now: services.clock.now(),
    apiAudiences: services.apiAudiences,
    serverAddress: services.serverAddress,
    ...optionalEndpoints(around),
    ...(services.webhook === undefined ? {} : { webhook: services.webhook }),
    version: services.version,
    healthChecks: (list) => services.healthChecks(list),
    metricsText: () => services.metricsText(),
    // A reviewed token is not the caller's own: it stays out of what the connection remembers.
    authenticate: (request) =>
      decide(request, (...asked) => around.stage.authenticate(...asked), around),
    reviewed(decision) {
      addWarnings(exchange, decision);
      told.reviewed = decision;
    },
  });
};

const optionalEndpoints = ({
  services: { objects, tokenRequests, issuerDocuments },
  told,
}: Surroundings & { readonly told: Told }): Pick<
  EndpointContext,
  'objects' | 'tokenRequests' | 'issuerDocuments'
> => ({
  ...(objects === undefined ? {} : { objects }),
  ...(tokenRequests === undefined
    ? {}
    : {
        tokenRequests: {
          ...tokenRequests,
          issued(annotations: ReadonlyMap<string, string>) {
            told.issued = annotations;
          },
        },
      }),
  ...(issuerDocuments === undefined ? {} : { issuerDocuments }),
});

/** An exception of a module is an error of that module: 401, never an identity. */
const decide = async (
  request: AuthenticationRequest,
  authenticate: Stage['authenticate'],
  { incoming, services }: Surroundings,
): Promise<Decision> => {
  try {
    return asTheWholeServer(await authenticate(request, incoming.signal), request);
  } catch (error) {
    services.log.event('error', 'authentication failed unexpectedly', {
      error: mask(String(error)),
    });
    const message = 'Internal error occurred: authentication failed unexpectedly';
    return { kind: 'rejected', reason: { code: 'AG5000', message } };
  }
};

/** One way in for each connection and stage: most requests of a connection carry the same token. */
const authenticators = new WeakMap<
  object,
  { readonly stage: Stage; readonly authenticate: Stage['authenticate'] }
>();

const authenticatorOf = (incoming: Incoming, stage: Stage): Stage['authenticate'] => {
  const known = authenticators.get(incoming.connection);
  if (known?.stage === stage) return known.authenticate;
  const authenticate =
    stage.connection?.() ?? ((request, signal) => stage.authenticate(request, signal));
  authenticators.set(incoming.connection, { stage, authenticate });
  return authenticate;
};

/**
 * The real server asks its own loopback tokens beside the modules, so every token that it refuses is
 * an invalid bearer token first, and whatever the modules say second.
 */
const asTheWholeServer = (decision: Decision, { token }: AuthenticationRequest): Decision => {
  if (decision.kind !== 'rejected' || token === undefined) return decision;
  return precededBy('invalid bearer token', decision);
};

/** Who was accepted for other audiences than this API's is nobody here. */
const withAcceptableAudiences = (
  decision: Decision,
  { audiences }: AuthenticationRequest,
): Decision => {
  if (decision.kind !== 'accepted') return decision;
  const none = audiences.length === 0 || decision.audiences.length === 0;
  if (none || decision.audiences.some((audience) => audiences.includes(audience))) return decision;
  const message = `unable to match the audience: [${decision.audiences.join(' ')}] , accepted: [${audiences.join(' ')}]`;
  return { kind: 'rejected', reason: { code: 'AG5009', message }, by: decision.by };
};

const authorizationRefusal = async (
  exchange: Exchange,
  user: UserInfo,
  { services, told }: Surroundings & { readonly told: Told },
): Promise<Answer | undefined> => {
  const started = services.clock.monotonic();
  const asked = { user, ...askedFor(exchange) };
  const { allowed, reason, error } = await services.authorizer.authorize(asked);
  countAuthorization(services, { allowed, error }, started);
  told.authorization = { decision: allowed ? 'allow' : 'forbid', reason };
  if (allowed) return undefined;
  if (error === undefined) return forbiddenAnswer(exchange, forbidden(asked, reason));
  services.log.event('error', 'authorization failed', { error: mask(error) });
  const { path } = exchange.target;
  return textAnswer(500, `Internal Server Error: ${quoteByteText(path)}: nobody can tell\n`);
};

/** The request as the authorizer sees it. */
const askedFor = ({ info }: Exchange): Asked =>
  info.kind === 'resource'
    ? { resource: info.attributes }
    : { nonResource: { verb: info.verb, path: info.path } };

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

const finish = (
  answer: Answer,
  { auditId, warnings }: { readonly auditId: string; readonly warnings: readonly string[] },
  close: boolean,
): Reply => ({
  ...answer,
  headers: [
    ...(saysItsAge(answer) ? [] : [['Cache-Control', 'no-cache, private'] as const]),
    ...(auditId === '' ? [] : [['Audit-Id', auditId] as const]),
    ...warningHeaders(warnings).map((value) => ['Warning', value] as const),
    ...answer.headers,
  ],
  close,
});

/** The keys of an issuer may be kept for a while; nothing else may. */
const saysItsAge = ({ headers }: Answer): boolean =>
  headers.some(([name]) => name === 'Cache-Control');
