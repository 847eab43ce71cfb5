/**
 * From a decision to the answer: under which name the caller acts, whether that name may do what is
 * asked, and the endpoint that does it.
 */
import { quoteByteText } from '../../formats/byte-string.ts';
import { unauthorized } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { ModuleId } from '../../model/module-id.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Authorization, AuthorizationRequest } from '../../ports/authorizer.ts';
import { mask } from '../../runtime/decision-log.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import type { Asked } from '../../runtime/impersonate.ts';
import {
  type Answer,
  errorAnswer,
  forbiddenAnswer,
  textAnswer,
  tooManyRequestsAnswer,
} from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { decide } from './decide-request.ts';
import type { AuthorizationRecord, ImpersonationRecord } from './decision-line.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import {
  impersonationScope,
  namelessRefusal,
  readImpersonation,
  withoutImpersonation,
} from './impersonation.ts';
import { countAuthorization } from './request-metrics.ts';
import type { Surroundings } from './request-services.ts';

/** What is to be logged of the way to the answer, as far as it went. */
export interface Told {
  reviewed?: Decision;
  /** Set before anything is done under the other name. */
  impersonation?: ImpersonationRecord;
  authorization?: AuthorizationRecord;
  /** What is noted about the request itself. */
  noted?: ReadonlyMap<string, string>;
  /** What is noted about a token that was asked for. */
  issued?: ReadonlyMap<string, string>;
}

/** A request on its way, and what is told of it. */
interface Way {
  readonly around: Surroundings;
  readonly told: Told;
}

/** 401 where nobody was accepted; else what the caller, or who it acts as, is answered. */
export const answerDecided = (
  exchange: Exchange,
  decision: Decision,
  way: Way,
): Answer | Promise<Answer> => {
  if (decision.kind !== 'accepted') return errorAnswer(exchange, unauthorized);
  const { impersonates } = way.around.facts;
  const wanted = impersonates ? readImpersonation(exchange.headers) : undefined;
  return wanted === undefined
    ? answerAs(exchange, decision.user, way)
    : answerImpersonator(exchange, { user: decision.user, wanted }, way);
};

const answerImpersonator = async (
  exchange: Exchange,
  { user: requestor, wanted }: { readonly user: UserInfo; readonly wanted: UserInfo },
  way: Way,
): Promise<Answer> => {
  const {
    around: { services },
    told,
  } = way;
  const nameless = namelessRefusal(wanted, services.impersonation);
  if (nameless !== undefined) return forbiddenAnswer(exchange, nameless);
  const outcome = await services.impersonation.impersonate({
    wanted,
    requestor,
    request: askedFor(exchange),
    scope: impersonationScope(exchange),
  });
  if (outcome.kind === 'denied') {
    told.impersonation = { decision: 'denied', user: wanted, constraint: '' };
    const error = forbidden({ user: requestor, ...outcome.asked }, outcome.reason);
    return forbiddenAnswer(exchange, error);
  }
  const { user, constraint } = outcome;
  told.impersonation = { decision: 'allowed', user, constraint };
  const headers = withoutImpersonation(exchange.headers);
  return answerAs({ ...exchange, headers }, user, way);
};

/** The answer under this name, which is the caller's own or the one it acts as. */
const answerAs = (exchange: Exchange, user: UserInfo, way: Way): Answer | Promise<Answer> => {
  const begun = way.around.turn.begin(user);
  if (begun === true) return authorizeAndAnswer(exchange, user, way);
  return begun === false
    ? tooManyRequestsAnswer
    : begun.then((isSeated) =>
        isSeated ? authorizeAndAnswer(exchange, user, way) : tooManyRequestsAnswer,
      );
};

/** For a request that has a seat. */
const authorizeAndAnswer = (
  exchange: Exchange,
  user: UserInfo,
  way: Way,
): Answer | Promise<Answer> => {
  const { services } = way.around;
  const started = services.clock.monotonic();
  const asked = { user, ...askedFor(exchange) };
  const answer = (authorization: Authorization): Answer | Promise<Answer> => {
    countAuthorization(services, authorization, started);
    return answerAuthorized(exchange, { asked, authorization }, way);
  };
  const authorizing = services.authorizer.authorize(asked);
  return authorizing instanceof Promise ? authorizing.then(answer) : answer(authorizing);
};

const answerAuthorized = (
  exchange: Exchange,
  {
    asked,
    authorization,
  }: { readonly asked: AuthorizationRequest; readonly authorization: Authorization },
  { around, told }: Way,
): Answer | Promise<Answer> => {
  const { services } = around;
  const { allowed, reason, error } = authorization;
  told.authorization = { decision: allowed ? 'allow' : 'forbid', reason };
  if (!allowed && error === undefined) return forbiddenAnswer(exchange, forbidden(asked, reason));
  if (!allowed) {
    services.log.event('error', 'authorization failed', { error: mask(error ?? '') });
    const { path } = exchange.target;
    return textAnswer(500, `Internal Server Error: ${quoteByteText(path)}: nobody can tell\n`);
  }
  return endpointAnswer(exchange, {
    user: asked.user,
    now: services.clock.now(),
    services,
    storeFor: (store) => around.turn.storeFor(asked.user, store),
    // A reviewed token is not the caller's own: it stays out of what the connection remembers.
    authenticate(request) {
      const { turn } = around;
      const deciding = decide(request, around.stage.authenticate, around);
      const review = (decision: Decision): Decision => {
        turn.refuseOverloaded(decision, 'review');
        return decision;
      };
      return deciding instanceof Promise ? turn.review(deciding).then(review) : review(deciding);
    },
    // Warnings are for who comes with the token, and not for who asks about it.
    reviewed(decision) {
      told.reviewed = decision;
    },
    noted(annotations) {
      told.noted = annotations;
    },
    issued(annotations) {
      told.issued = annotations;
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
    ofBearer,
    asksLoopback,
  }: { readonly ofBearer: string | undefined; readonly asksLoopback: boolean },
): void => {
  const isAccepted = decision.kind === 'accepted';
  const isLookedAt = asksLoopback || !isAccepted || !beforeTokens.has(decision.by);
  if (ofBearer !== undefined && isLookedAt) exchange.warnings.push(ofBearer);
  if (isAccepted) exchange.warnings.push(...(decision.remarks?.warnings ?? []));
};

const beforeTokens: ReadonlySet<ModuleId> = new Set(['authenticating-proxy', 'client-certificate']);

/** The request as the authorizer sees it. */
const askedFor = ({ info }: Exchange): Asked =>
  info.kind === 'resource'
    ? { resource: info.attributes }
    : { nonResource: { verb: info.verb, path: info.path } };
