/** POST …/selfsubjectreviews: who does the server say that I am? */
import type { UserInfo } from '../../model/user-info.ts';
import { servedVersion } from '../api-groups.ts';
import { type Answer, errorAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { selfSubjectReviewObject } from '../wire/write-review.ts';
import { reviewAnswer, reviewBytes, reviewFields } from './create-review.ts';

/** Everything that the request's object says is forgotten, its name and its status too. */
export const createSelfSubjectReview = async (
  exchange: Exchange,
  { group, user, now }: { readonly group: string; readonly user: UserInfo; readonly now: number },
): Promise<Answer> => {
  const kind = 'SelfSubjectReview';
  const body = await reviewBytes(exchange);
  if (body.kind === 'error') return errorAnswer(exchange, body.error);
  const review = reviewFields(exchange, body, { group, kind });
  if (review.kind === 'error') return errorAnswer(exchange, review.error);
  const head = { kind, apiVersion: `${group}/${servedVersion}` };
  const object = selfSubjectReviewObject(head, { createdAt: now, user });
  return reviewAnswer(exchange, object, head);
};
