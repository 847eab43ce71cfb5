/** POST …/tokenreviews: whose token is this? Asks the same stage that decides about requests. */
import type { OutputMap } from '../../formats/output.ts';
import { type ApiError, badRequest, internalError } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { readBareToken } from '../../runtime/bearer-token.ts';
import { servedVersion } from '../api-groups.ts';
import { type Answer, compactAnswer, errorAnswer, wantsCompactJson } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import type { Field } from '../wire/decode-object.ts';
import { type Fields, mapField, textField, textListField } from '../wire/field-values.ts';
import { keptMetadata, plainReviewMetadata } from '../wire/object-meta.ts';
import { type QuickReview, quickTokenReview } from '../wire/review-fast-path.ts';
import { reviewStatus, tokenReviewBytes, tokenReviewObject } from '../wire/write-review.ts';
import { type ReviewBytes, reviewAnswer, reviewBytes, reviewFields } from './create-review.ts';

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
  const body = await reviewBytes(exchange);
  if (body.kind === 'error') return errorAnswer(exchange, body.error);
  const quick = body.format === 'json' ? quickTokenReview(body.bytes, context.group) : undefined;
  const asked: AskedReview | RefusedReview = quick ?? askedAtLength(exchange, body, context.group);
  if ('error' in asked) return errorAnswer(exchange, asked.error);
  const { token } = asked;
  const audiences = asked.audiences.length === 0 ? context.apiAudiences : asked.audiences;
  const deciding = reviewedDecision(token, audiences, context);
  const decision = deciding instanceof Promise ? await deciding : deciding;
  context.reviewed(decision);
  if (!audiencesMeet(decision, audiences)) {
    return errorAnswer(exchange, internalError('error validating audiences'));
  }
  const apiVersion = `${context.group}/${servedVersion}`;
  const head = { kind: 'TokenReview', apiVersion };
  const manager = fieldManager(body.fieldManager, exchange.headers);
  const managed = { apiVersion, manager, now: context.now };
  const metadata =
    asked.fields === undefined
      ? plainReviewMetadata(managed, asked.audiences.length > 0)
      : keptMetadata(asked.fields, managed);
  const status = statusOf(decision, asked.fields);
  const review = { metadata, token, audiences: asked.audiences, status };
  return quick !== undefined && wantsCompactJson(exchange, 'resource')
    ? compactAnswer(201, tokenReviewBytes(head, review, quick.tokenBytes))
    : reviewAnswer(exchange, tokenReviewObject(head, review), head);
};

interface AskedReview extends Pick<QuickReview, 'token' | 'audiences'> {
  /** Absent for a quick one, which has no others. */
  readonly fields?: ReadonlyMap<string, Field>;
}

interface RefusedReview {
  readonly error: ApiError;
}

/** A review that is no quick one, member by member. */
const askedAtLength = (
  exchange: Exchange,
  body: ReviewBytes,
  group: string,
): AskedReview | RefusedReview => {
  const review = reviewFields(exchange, body, {
    group,
    version: servedVersion,
    kind: 'TokenReview',
  });
  if (review.kind === 'error') return { error: review.error };
  const spec = mapField(review.fields, 'spec');
  const token = textField(spec, 'token');
  if (token === '') {
    return { error: badRequest('token is required for TokenReview in authentication') };
  }
  return { token, audiences: textListField(spec, 'audiences'), fields: review.fields };
};

/** The token takes the way of a header, so that it is read by the same rules. */
export const reviewedDecision = (
  token: string,
  audiences: readonly string[],
  context: Pick<TokenReviewContext, 'authenticate'>,
): Decision | Promise<Decision> => {
  const bearer = readBareToken(token);
  // A token of blanks is no token: nobody, and never the anonymous identity.
  if (bearer.token === undefined) return { kind: 'noOpinion' };
  return context.authenticate({ path: '', token: bearer.token, audiences });
};

const audiencesMeet = (decision: Decision, asked: readonly string[]): boolean =>
  decision.kind !== 'accepted' ||
  asked.length === 0 ||
  decision.audiences.some((audience) => asked.includes(audience));

/** What is not decided stays as the client wrote it, as on the real server. */
const statusOf = (decision: Decision, asked: Fields | undefined): OutputMap => {
  const given = asked === undefined ? nothing : mapField(asked, 'status');
  if (decision.kind !== 'accepted') {
    const error =
      decision.kind === 'rejected' ? decision.reason.message : textField(given, 'error');
    const audiences = textListField(given, 'audiences');
    return reviewStatus({ authenticated: false, user: userOf(given), audiences, error });
  }
  if (given.size > 0) {
    const { user, audiences } = decision;
    return reviewStatus({ authenticated: true, user, audiences, error: textField(given, 'error') });
  }
  const known = statuses.get(decision);
  if (known !== undefined) return known;
  const { user, audiences } = decision;
  const status = reviewStatus({ authenticated: true, user, audiences, error: '' });
  statuses.set(decision, status);
  return status;
};

const nothing: Fields = new Map();

const userOf = (status: Fields): UserInfo => {
  const user = mapField(status, 'user');
  const extra = mapField(user, 'extra');
  return {
    username: textField(user, 'username'),
    uid: textField(user, 'uid'),
    groups: textListField(user, 'groups'),
    extra: new Map(Array.from(extra.keys(), (key) => [key, textListField(extra, key)])),
  };
};

/** Decisions come from caches: most are told more than once. */
const statuses = new WeakMap<Decision, OutputMap>();
