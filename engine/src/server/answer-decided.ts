/**
 * From a decision to the answer: under which name the caller acts, whether that name may do what is
 * asked, and the endpoint that does it.
 */
import { quoteByteText } from '../formats/byte-text.ts';
import { unauthorized } from '../model/api-error.ts';
import type { Decision } from '../model/decision.ts';
import type { UserInfo } from '../model/user-info.ts';
import { mask } from '../runtime/decision-log.ts';
import { forbidden } from '../runtime/forbidden.ts';
import type { Asked } from '../runtime/impersonate.ts';
import { decide } from './decide-request.ts';
import type { AuthorizationRecord, ImpersonationRecord } from './decision-line.ts';
import { type EndpointContext, endpointAnswer } from './endpoint-answer.ts';
import { type Answer, errorAnswer, forbiddenAnswer, textAnswer } from './http/answer.ts';
import type { Exchange } from './http/exchange.ts';
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
  /** What is noted about a token that was made. */
  issued?: ReadonlyMap<string, string>;
}

/** 401 where nobody was accepted; else what the caller, or who it acts as, is answered. */
export const answerDecided = async (
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
    // Warnings are for who comes with the token, and not for who asks about it.
    reviewed(decision) {
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

/** What a module had to say to the client of an accepted credential. */
export const addWarnings = (exchange: Exchange, decision: Decision): void => {
  if (decision.kind !== 'accepted' || decision.remarks === undefined) return;
  exchange.warnings.push(...decision.remarks.warnings);
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
