/**
 * The authentication webhook at `--webhook-path`, for the API servers of clusters. It works like
 * the TokenReview endpoint with these differences: the response has the version of the request, a
 * denial has status 200, and `status.error` is set only if the API server should not cache the
 * denial.
 */

import { requestCanceled } from '../../authenticators/rejections.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { type OutputMap, omitEmpty, outputMap } from '../../formats/output-value.ts';
import { badRequest, methodNotAllowed } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Clock } from '../../ports/clock.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { readBytes } from '../api/read-body.ts';
import { throwStatus } from '../api/status-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HandlerResponse } from '../http/handler-response.ts';
import { bodyLimits, webhookLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';
import { userInfoObject } from '../wire/write-review.ts';
import { readWebhookReview, type WebhookReview } from './read-webhook-review.ts';
import { decideReviewedToken, type TokenReviewContext } from './token-reviews.ts';
import { reportedReason, type WebhookReasons } from './webhook-reasons.ts';

export interface WebhookReviewContext extends Omit<TokenReviewContext, 'group' | 'now'> {
  readonly clock: Clock;
  readonly reasons: WebhookReasons;
}

/** Answers a caller that may create TokenReviews. */
export const answerWebhook = async (
  exchange: Exchange,
  context: WebhookReviewContext,
): Promise<HandlerResponse> => {
  if (exchange.method !== 'POST') throwStatus(methodNotAllowed);
  const tree = parseJsonWithPositions(await readBytes(exchange), bodyLimits.depth);
  if (tree.kind === 'error') return throwStatus(badRequest(tree.error));
  const review = readWebhookReview(tree.root);
  const deciding = decideReviewedToken(review.token, requestedAudiences(review, context), context);
  const decision = await withDeadline(deciding, context.clock);
  context.recordReview(decision);
  return webhookResponse(review.apiVersion, statusOf(decision, review, context));
};

/**
 * Returns the audiences to authenticate for. An API server always sends its own audiences. If this
 * server has none, credentials without audiences are valid for every API server.
 */
const requestedAudiences = (
  { audiences }: WebhookReview,
  { apiAudiences }: WebhookReviewContext,
): readonly string[] =>
  apiAudiences.length === 0 || audiences.length === 0 ? apiAudiences : audiences;

/**
 * Denies after a timeout: the API server waits 30 s and treats no response as an outage.
 * Authentication continues in the background.
 */
const withDeadline = (
  deciding: Decision | Promise<Decision>,
  clock: Clock,
): Decision | Promise<Decision> => {
  if (!(deciding instanceof Promise)) return deciding;
  return new Promise((resolve, reject) => {
    const stop = clock.after(webhookLimits.answerMs, () =>
      resolve({
        kind: 'rejected',
        reason: rejectionOf(requestCanceled, 'authentication timed out'),
      }),
    );
    deciding.then(resolve, reject).finally(stop);
  });
};

const statusOf = (
  decision: Decision,
  review: WebhookReview,
  context: WebhookReviewContext,
): OutputMap => {
  if (decision.kind === 'accepted') {
    const matchesAudience =
      decision.audiences.length === 0 ||
      review.audiences.length === 0 ||
      decision.audiences.some((audience) => review.audiences.includes(audience));
    if (!matchesAudience) return denied('the token was issued for other audiences');
    return outputMap(
      ['authenticated', true],
      ['user', userInfoObject(decision.user)],
      ['audiences', omitEmpty(decision.audiences)],
    );
  }
  const isUnclaimed = decision.kind === 'noOpinion' || decision.reason.code === unclaimedToken.code;
  const audienceMismatch = isUnclaimed ? audienceProblem(review, context) : '';
  if (audienceMismatch !== '') return denied(audienceMismatch);
  return denied(decision.kind === 'noOpinion' ? '' : reportedReason(decision, context.reasons));
};

const denied = (error: string): OutputMap =>
  outputMap(['authenticated', false], ['error', omitEmpty(error)]);

/**
 * Returns an error if the audiences of the API server and of this server are disjoint, since no
 * token can match then.
 */
const audienceProblem = (
  { audiences }: WebhookReview,
  { apiAudiences }: WebhookReviewContext,
): string =>
  apiAudiences.length === 0 ||
  audiences.length === 0 ||
  audiences.some((audience) => apiAudiences.includes(audience))
    ? ''
    : `the API server requests the audiences [${audiences.join(' ')}], but --api-audiences is [${apiAudiences.join(' ')}]`;

/** Builds the response. It does not repeat the token. */
const webhookResponse = (apiVersion: string, status: OutputMap): HandlerResponse => ({
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: writeJson(
    outputMap(
      ['kind', 'TokenReview'],
      ['apiVersion', apiVersion],
      ['metadata', outputMap()],
      ['spec', outputMap()],
      ['status', status],
    ),
  ),
});
