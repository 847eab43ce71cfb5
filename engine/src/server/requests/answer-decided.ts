/** Produces the response after a decision: impersonation, authorization, and the endpoint. */
import { quoteByteString } from '../../formats/byte-string.ts';
import { unauthorized } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import type { ModuleId } from '../../model/module-id.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorization, AuthorizationRequest } from '../../ports/authorizer.ts';
import { mask } from '../../runtime/decision-log.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import type { AuthorizationAttributes } from '../../runtime/impersonate.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  errorResponse,
  forbiddenResponse,
  type HandlerResponse,
  textResponse,
  tooManyRequestsResponse,
} from '../http/handler-response.ts';
import { decide } from './decide-request.ts';
import type { AuditDetails } from './decision-line.ts';
import { endpointResponse } from './endpoint-response.ts';
import {
  impersonationScope,
  missingUserError,
  readImpersonation,
  withoutImpersonation,
} from './impersonation.ts';
import { countAuthorization } from './request-metrics.ts';
import type { RequestContext } from './request-services.ts';

/** A request that is being answered, and the details to log. */
interface AnswerContext {
  readonly request: RequestContext;
  readonly audit: AuditDetails;
}

/**
 * Returns a 401 for unauthenticated requests, and otherwise the response for the caller or for the
 * user that it impersonates.
 */
export const answerDecided = (
  exchange: Exchange,
  decision: Decision,
  context: AnswerContext,
): MaybePromise<HandlerResponse> => {
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
  context: AnswerContext,
): Promise<HandlerResponse> => {
  const {
    request: { services },
    audit,
  } = context;
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
  return answerAs({ ...exchange, headers }, user, context);
};

/** Answers as this user, who is the caller or the impersonated user. */
const answerAs = (
  exchange: Exchange,
  user: UserInfo,
  context: AnswerContext,
): MaybePromise<HandlerResponse> => {
  return andThen(context.request.turn.begin(user), (hasSeat) =>
    hasSeat ? authorizeAndAnswer(exchange, user, context) : tooManyRequestsResponse,
  );
};

/** Authorizes and answers a request that has a seat. */
const authorizeAndAnswer = (
  exchange: Exchange,
  user: UserInfo,
  context: AnswerContext,
): MaybePromise<HandlerResponse> => {
  const { services } = context.request;
  const started = services.clock.monotonic();
  const attributes = { user, ...authorizationAttributes(exchange) };
  return andThen(services.authorizer.authorize(attributes), (authorization) => {
    countAuthorization(services, authorization, started);
    return answerAuthorized(exchange, { attributes, authorization }, context);
  });
};

const answerAuthorized = (
  exchange: Exchange,
  {
    attributes,
    authorization,
  }: { readonly attributes: AuthorizationRequest; readonly authorization: Authorization },
  { request: requestContext, audit }: AnswerContext,
): MaybePromise<HandlerResponse> => {
  const { services } = requestContext;
  const { allowed, reason, error } = authorization;
  audit.authorization = { decision: allowed ? 'allow' : 'forbid', reason };
  if (!allowed && error === undefined)
    return forbiddenResponse(exchange, forbidden(attributes, reason));
  if (!allowed) {
    services.log.event('error', 'authorization failed', { error: mask(error ?? '') });
    const { path } = exchange.target;
    return textResponse(
      500,
      `Internal Server Error: ${quoteByteString(path)}: authorization failed\n`,
    );
  }
  return endpointResponse(exchange, {
    user: attributes.user,
    now: services.clock.now(),
    services,
    storeFor: (store) => requestContext.turn.storeFor(attributes.user, store),
    // A reviewed token is not the caller's own, so the connection does not cache it.
    authenticate(request) {
      const { turn } = requestContext;
      if (services.decisionClaims !== undefined) audit.reviewedToken = request.token;
      const deciding = decide(request, requestContext.generation.authenticate, requestContext);
      return andThen(turn.review(deciding), (decision) => {
        turn.refuseOverloaded(decision, 'review');
        return decision;
      });
    },
    // Warnings are for the client that presents the token, not for the client that reviews it.
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
 * Adds the warnings for the client: `bearerWarning` about how the token was sent, then those of the
 * module that accepted the credential. Without the loopback authenticator, modules that accept a
 * connection do not look at the bearer token.
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

/** Returns the attributes of the request for the authorizer. */
export const authorizationAttributes = ({
  info,
}: Pick<Exchange, 'info'>): AuthorizationAttributes =>
  info.kind === 'resource'
    ? { resource: info.attributes }
    : { nonResource: { verb: info.verb, path: info.path } };
