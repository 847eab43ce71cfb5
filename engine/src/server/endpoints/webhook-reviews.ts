/**
 * POST to the path of `--webhook-path`: a cluster's API server asks whose token it was sent, as its
 * authentication webhook. The same question as at …/tokenreviews, answered for that one client: the
 * version of the request comes back, a denial is status 200, and the reason of a denial stands in the
 * answer only where the API server should not remember the denial.
 */
import { parseJsonTree } from '../../formats/json-tree.ts';
import { type OutputMap, outputMap, unlessEmpty } from '../../formats/output.ts';
import { badRequest, bodyTooLarge, methodNotAllowed } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { Clock } from '../../ports/clock.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { authenticationGroups } from '../api-groups.ts';
import { type Answer, errorAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits, webhookLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';
import { userInfoObject } from '../wire/write-review.ts';
import { reviewedDecision, type TokenReviewContext } from './token-reviews.ts';
import { readWebhookReview, type WebhookQuestion } from './webhook-question.ts';
import { toldReason, type WebhookReasons } from './webhook-reasons.ts';

export interface WebhookReviewContext extends Omit<TokenReviewContext, 'group' | 'now'> {
  readonly clock: Clock;
  readonly reasons: WebhookReasons;
}

/** For a caller who may create TokenReviews. */
export const answerWebhook = async (
  exchange: Exchange,
  context: WebhookReviewContext,
): Promise<Answer> => {
  if (exchange.method !== 'POST') return errorAnswer(exchange, methodNotAllowed);
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return errorAnswer(exchange, bodyTooLarge(bodyLimits.bytes));
  if (body.kind === 'broken') return errorAnswer(exchange, badRequest('unexpected EOF'));
  const tree = parseJsonTree(body.bytes, bodyLimits.depth);
  if (tree.kind === 'error') return errorAnswer(exchange, badRequest(tree.error));
  const reading = readWebhookReview(tree.root, authenticationGroups);
  if (reading.kind === 'error') return errorAnswer(exchange, badRequest(reading.message));
  const { question } = reading;
  const deciding = reviewedDecision(question.token, asked(question, context), context);
  const decision = await inTime(deciding, context.clock);
  context.reviewed(decision);
  return reviewAnswer(question.apiVersion, statusOf(decision, question, context));
};

/**
 * An API server always names audiences, its own. Where none are ours, credentials that know no
 * audience are good for whoever asks; else the question is taken by its word.
 */
const asked = (
  { audiences }: WebhookQuestion,
  { apiAudiences }: WebhookReviewContext,
): readonly string[] =>
  apiAudiences.length === 0 || audiences.length === 0 ? apiAudiences : audiences;

/** The API server waits for 30 s and takes silence for an outage; the check itself goes on. */
const inTime = (
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
  question: WebhookQuestion,
  context: WebhookReviewContext,
): OutputMap => {
  if (decision.kind === 'accepted') {
    const isMeant =
      decision.audiences.length === 0 ||
      question.audiences.length === 0 ||
      decision.audiences.some((audience) => question.audiences.includes(audience));
    if (!isMeant) return denied('the token is for other audiences');
    return outputMap(
      ['authenticated', true],
      ['user', userInfoObject(decision.user)],
      ['audiences', unlessEmpty(decision.audiences)],
    );
  }
  const isNobodys = decision.kind === 'noOpinion' || decision.reason.code === unclaimedToken.code;
  const disagreement = isNobodys ? audienceProblem(question, context) : '';
  if (disagreement !== '') return denied(disagreement);
  return denied(decision.kind === 'noOpinion' ? '' : toldReason(decision, context.reasons));
};

const denied = (error: string): OutputMap =>
  outputMap(['authenticated', false], ['error', unlessEmpty(error)]);

/** Why nobody felt asked: an API server and we that disagree about its audiences agree on no token. */
const audienceProblem = (
  { audiences }: WebhookQuestion,
  { apiAudiences }: WebhookReviewContext,
): string =>
  apiAudiences.length === 0 ||
  audiences.length === 0 ||
  audiences.some((audience) => apiAudiences.includes(audience))
    ? ''
    : `the API server asks for the audiences [${audiences.join(' ')}], and --api-audiences has [${apiAudiences.join(' ')}]`;

/** The token does not go back: who asked has it. */
const reviewAnswer = (apiVersion: string, status: OutputMap): Answer => ({
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
