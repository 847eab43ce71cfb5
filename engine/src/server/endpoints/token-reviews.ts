/** POST …/tokenreviews: whose token is this? Asks the same stage that decides about requests. */
import { badRequest, internalError } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import type { TokenReviewStatus } from '../../model/reviews.ts';
import { readBearerToken } from '../../runtime/bearer-token.ts';
import { servedVersion } from '../api-groups.ts';
import { fieldManager } from '../field-manager.ts';
import { type Answer, errorAnswer, objectAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { mapField, textField, textListField } from '../wire/field-values.ts';
import { keptMetadata } from '../wire/object-meta.ts';
import { tokenReviewObject } from '../wire/write-review.ts';
import { createReview } from './create-review.ts';

export interface TokenReviewContext {
  readonly group: string;
  readonly now: number;
  /** Audiences of this API, for a review that names none. */
  readonly apiAudiences: readonly string[];
  authenticate(request: AuthenticationRequest): Decision | Promise<Decision>;
  /** Takes the decision before it becomes an answer. */
  reviewed(decision: Decision): void;
}

/** A refused token is an answer, not an error: 201 with the reason in the status. */
export const createTokenReview = async (
  exchange: Exchange,
  context: TokenReviewContext,
): Promise<Answer> => {
  const kind = 'TokenReview';
  const body = await createReview(exchange, { group: context.group, kind });
  if (body.kind === 'error') return errorAnswer(exchange, body.error);
  const spec = mapField(body.fields, 'spec');
  const token = textField(spec, 'token');
  if (token === '') {
    const message = 'token is required for TokenReview in authentication';
    return errorAnswer(exchange, badRequest(message));
  }
  const asked = textListField(spec, 'audiences');
  const audiences = asked.length === 0 ? context.apiAudiences : asked;
  const decision = await reviewedDecision(token, audiences, context);
  context.reviewed(decision);
  if (!audiencesMeet(decision, audiences)) {
    return errorAnswer(exchange, internalError('error validating audiences'));
  }
  const head = { kind, apiVersion: `${context.group}/${servedVersion}` };
  const metadata = keptMetadata(body.fields, {
    apiVersion: head.apiVersion,
    manager: fieldManager(body.fieldManager, exchange.headers),
    now: context.now,
  });
  const review = { metadata, token, audiences: asked, status: statusOf(decision) };
  return objectAnswer(exchange, 201, tokenReviewObject(head, review), 'resource');
};

/** The token takes the way of a header, so that it is read by the same rules. */
export const reviewedDecision = (
  token: string,
  audiences: readonly string[],
  context: Pick<TokenReviewContext, 'authenticate'>,
): Decision | Promise<Decision> => {
  const bearer = readBearerToken(`Bearer ${token}`);
  // A token of blanks is no token: nobody, and never the anonymous identity.
  if (bearer.token === undefined) return { kind: 'noOpinion' };
  return context.authenticate({ path: '', token: bearer.token, audiences });
};

const audiencesMeet = (decision: Decision, asked: readonly string[]): boolean =>
  decision.kind !== 'accepted' ||
  asked.length === 0 ||
  decision.audiences.some((audience) => asked.includes(audience));

const statusOf = (decision: Decision): TokenReviewStatus => {
  if (decision.kind === 'accepted') {
    const { user, audiences } = decision;
    return { authenticated: true, user, audiences, error: '' };
  }
  const error = decision.kind === 'rejected' ? decision.reason.message : '';
  return { authenticated: false, user: undefined, audiences: [], error };
};
