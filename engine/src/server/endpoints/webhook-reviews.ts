/**
 * POST to the path of `--webhook-path`: a cluster's API server asks whose token it was sent, as its
 * authentication webhook. The same question as at …/tokenreviews, answered for that one client: the
 * version of the request comes back, a denial is status 200, and the reason of a denial stands in the
 * answer only where the API server should not remember the denial.
 */
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { type OutputMap, outputMap, omitEmpty } from '../../formats/output-value.ts';
import { badRequest, bodyTooLarge, methodNotAllowed } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { Clock } from '../../ports/clock.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { authenticationGroups } from '../api-groups.ts';
import { type HandlerResponse, errorResponse } from '../http/handler-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits, webhookLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';
import { userInfoObject } from '../wire/write-review.ts';
import { decideReviewedToken, type TokenReviewContext } from './token-reviews.ts';
import { readWebhookReview, type WebhookReview } from './read-webhook-review.ts';
import { reportedReason, type WebhookReasons } from './webhook-reasons.ts';

export interface WebhookReviewContext extends Omit<TokenReviewContext, 'group' | 'now'> {
  readonly clock: Clock;
  readonly reasons: WebhookReasons;
}

/** For a caller who may create TokenReviews. */
export const answerWebhook = async (
  exchange: Exchange,
  context: WebhookReviewContext,
): Promise<HandlerResponse> => {
  if (exchange.method !== 'POST') return errorResponse(exchange, methodNotAllowed);
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return errorResponse(exchange, bodyTooLarge(bodyLimits.bytes));
  if (body.kind === 'broken') return errorResponse(exchange, badRequest('unexpected EOF'));
  const tree = parseJsonWithPositions(body.bytes, bodyLimits.depth);
  if (tree.kind === 'error') return errorResponse(exchange, badRequest(tree.error));
  const reading = readWebhookReview(tree.root, authenticationGroups);
  if (reading.kind === 'error') return errorResponse(exchange, badRequest(reading.message));
  const { review } = reading;
  const deciding = decideReviewedToken(review.token, requestedAudiences(review, context), context);
  const decision = await withDeadline(deciding, context.clock);
  context.recordReview(decision);
  return webhookAnswer(review.apiVersion, statusOf(decision, review, context));
};

/**
 * An API server always names audiences, its own. Where none are ours, credentials that know no
 * audience are good for whoever asks; else the question is taken by its word.
 */
const requestedAudiences = (
  { audiences }: WebhookReview,
  { apiAudiences }: WebhookReviewContext,
): readonly string[] =>
  apiAudiences.length === 0 || audiences.length === 0 ? apiAudiences : audiences;

/** The API server waits for 30 s and takes silence for an outage; the check itself goes on. */
const withDeadline = (
  deciding: Decision | Promise<Decision>,
  clock: Clock,
): Decision | Promise<Decision> => {
  if (!(deciding instanceof Promise)) return deciding;
  return new Promise((resolve, reject) => {
    const stop = clock.after(webhookLimits.answerMs, () =>
      resolve({ kind: 'rejected', reason: { code: 'AG5023', message: 'not decided in time' } }),
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
    if (!matchesAudience) return denied('the token is for other audiences');
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

/** Why nobody felt asked: an API server and we that disagree about its audiences agree on no token. */
const audienceProblem = (
  { audiences }: WebhookReview,
  { apiAudiences }: WebhookReviewContext,
): string =>
  apiAudiences.length === 0 ||
  audiences.length === 0 ||
  audiences.some((audience) => apiAudiences.includes(audience))
    ? ''
    : `the API server asks for the audiences [${audiences.join(' ')}], and --api-audiences has [${apiAudiences.join(' ')}]`;

/** The token does not go back: who asked has it. */
const webhookAnswer = (apiVersion: string, status: OutputMap): HandlerResponse => ({
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
