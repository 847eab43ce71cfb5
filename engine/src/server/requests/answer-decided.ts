/**
 * From a decision to the answer: under which name the caller acts, whether that name may do what is
 * asked, and the endpoint that does it.
 */
import { quoteByteString } from '../../formats/byte-string.ts';
import { unauthorized } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { ModuleId } from '../../model/module-id.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorization, AuthorizationRequest } from '../../ports/authorizer.ts';
import { mask } from '../../runtime/decision-log.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import type { AuthorizationAttributes } from '../../runtime/impersonate.ts';
import {
  type HandlerResponse,
  errorResponse,
  forbiddenResponse,
  textResponse,
  tooManyRequestsResponse,
} from '../http/handler-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { decide } from './decide-request.ts';
import type { AuthorizationRecord, ImpersonationRecord } from './decision-line.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import {
  impersonationScope,
  missingUserError,
  readImpersonation,
  withoutImpersonation,
} from './impersonation.ts';
import { countAuthorization } from './request-metrics.ts';
import type { RequestContext } from './request-services.ts';

/** What is to be logged of the way to the answer, as far as it went. */
export interface AuditDetails {
  reviewed?: Decision;
  /** Set before anything is done under the other name. */
  impersonation?: ImpersonationRecord;
  authorization?: AuthorizationRecord;
  /** What is noted about the request itself. */
  annotations?: ReadonlyMap<string, string>;
  /** What is noted about a token that was asked for. */
  issued?: ReadonlyMap<string, string>;
}

/** A request on its way, and what is told of it. */
interface AnswerContext {
  readonly request: RequestContext;
  readonly audit: AuditDetails;
}

/** 401 where nobody was accepted; else what the caller, or who it acts as, is answered. */
export const answerDecided = (
  exchange: Exchange,
  decision: Decision,
  context: AnswerContext,
): HandlerResponse | Promise<HandlerResponse> => {
  if (decision.kind !== 'accepted') return errorResponse(exchange, unauthorized);
  const { impersonates } = context.request.facts;
  const requested = impersonates ? readImpersonation(exchange.headers) : undefined;
  return requested === undefined
    ? answerAs(exchange, decision.user, context)
    : answerImpersonator(exchange, { user: decision.user, requested }, context);
};

const answerImpersonator = async (
  exchange: Exchange,
  { user: requestor, requested }: { readonly user: UserInfo; readonly requested: UserInfo },
  way: AnswerContext,
): Promise<HandlerResponse> => {
  const {
    request: { services },
    audit,
  } = way;
  const nameless = missingUserError(requested, services.impersonation);
  if (nameless !== undefined) return forbiddenResponse(exchange, nameless);
  const outcome = await services.impersonation.impersonate({
    requested,
    requestor,
    request: authorizationAttributes(exchange),
    scope: impersonationScope(exchange),
  });
  if (outcome.kind === 'denied') {
    audit.impersonation = { decision: 'denied', user: requested, constraint: '' };
    const error = forbidden({ user: requestor, ...outcome.attributes }, outcome.reason);
    return forbiddenResponse(exchange, error);
  }
  const { user, constraint } = outcome;
  audit.impersonation = { decision: 'allowed', user, constraint };
  const headers = withoutImpersonation(exchange.headers);
  return answerAs({ ...exchange, headers }, user, way);
};

/** The answer under this name, which is the caller's own or the one it acts as. */
const answerAs = (
  exchange: Exchange,
  user: UserInfo,
  context: AnswerContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const hasSeat = context.request.turn.begin(user);
  if (hasSeat === true) return authorizeAndAnswer(exchange, user, context);
  return hasSeat === false
    ? tooManyRequestsResponse
    : hasSeat.then((isSeated) =>
        isSeated ? authorizeAndAnswer(exchange, user, context) : tooManyRequestsResponse,
      );
};

/** For a request that has a seat. */
const authorizeAndAnswer = (
  exchange: Exchange,
  user: UserInfo,
  way: AnswerContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const { services } = way.request;
  const started = services.clock.monotonic();
  const attributes = { user, ...authorizationAttributes(exchange) };
  const answer = (authorization: Authorization): HandlerResponse | Promise<HandlerResponse> => {
    countAuthorization(services, authorization, started);
    return answerAuthorized(exchange, { attributes, authorization }, way);
  };
  const authorizing = services.authorizer.authorize(attributes);
  return authorizing instanceof Promise ? authorizing.then(answer) : answer(authorizing);
};

const answerAuthorized = (
  exchange: Exchange,
  {
    attributes,
    authorization,
  }: { readonly attributes: AuthorizationRequest; readonly authorization: Authorization },
  { request: requestContext, audit }: AnswerContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const { services } = requestContext;
  const { allowed, reason, error } = authorization;
  audit.authorization = { decision: allowed ? 'allow' : 'forbid', reason };
  if (!allowed && error === undefined)
    return forbiddenResponse(exchange, forbidden(attributes, reason));
  if (!allowed) {
    services.log.event('error', 'authorization failed', { error: mask(error ?? '') });
    const { path } = exchange.target;
    return textResponse(500, `Internal Server Error: ${quoteByteString(path)}: nobody can tell\n`);
  }
  return endpointAnswer(exchange, {
    user: attributes.user,
    now: services.clock.now(),
    services,
    storeFor: (store) => requestContext.turn.storeFor(attributes.user, store),
    // A reviewed token is not the caller's own: it stays out of what the connection remembers.
    authenticate(request) {
      const { turn } = requestContext;
      const deciding = decide(request, requestContext.generation.authenticate, requestContext);
      const review = (decision: Decision): Decision => {
        turn.refuseOverloaded(decision, 'review');
        return decision;
      };
      return deciding instanceof Promise ? turn.review(deciding).then(review) : review(deciding);
    },
    // Warnings are for who comes with the token, and not for who asks about it.
    recordReview(decision) {
      audit.reviewed = decision;
    },
    recordAnnotations(annotations) {
      audit.annotations = annotations;
    },
    recordIssued(annotations) {
      audit.issued = annotations;
    },
  });
};

/**
 * What a module had to say to the client of an accepted credential; before it `ofBearer`, what is to be
 * said of how the token was sent. Modules alone do not look at it where the connection tells enough.
 */
export const addWarnings = (
  exchange: Exchange,
  decision: Decision,
  {
    bearerWarning,
    checksLoopbackTokens,
  }: { readonly bearerWarning: string | undefined; readonly checksLoopbackTokens: boolean },
): void => {
  const isAccepted = decision.kind === 'accepted';
  const isBearerChecked =
    checksLoopbackTokens || !isAccepted || !modulesBeforeTokens.has(decision.by);
  if (bearerWarning !== undefined && isBearerChecked) exchange.warnings.push(bearerWarning);
  if (isAccepted) exchange.warnings.push(...(decision.remarks?.warnings ?? []));
};

const modulesBeforeTokens: ReadonlySet<ModuleId> = new Set([
  'authenticating-proxy',
  'client-certificate',
]);

/** The request as the authorizer sees it. */
const authorizationAttributes = ({ info }: Exchange): AuthorizationAttributes =>
  info.kind === 'resource'
    ? { resource: info.attributes }
    : { nonResource: { verb: info.verb, path: info.path } };
