/** The TokenReview endpoint: authenticates a token with the current authenticator generation. */

import type { Fields } from '../../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../../formats/go-struct/fields.ts';
import type { OutputMap } from '../../formats/output-value.ts';
import { badRequest, internalError } from '../../model/api-error.ts';
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import { userOfReview } from '../../resources/reviews.ts';
import { readBareToken } from '../../runtime/bearer-token.ts';
import { throwStatus } from '../api/status-error.ts';
import { servedVersion } from '../api-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import {
  compactJsonResponse,
  type HandlerResponse,
  wantsCompactJson,
} from '../http/handler-response.ts';
import { echoedMetadata, tokenReviewMetadata } from '../wire/object-meta.ts';
import { type CompactReview, readCompactTokenReview } from '../wire/review-fast-path.ts';
import { reviewStatus, tokenReviewBytes, tokenReviewObject } from '../wire/write-review.ts';
import { type ReviewBytes, reviewBytes, reviewFields, reviewResponse } from './create-review.ts';

export interface TokenReviewContext {
  readonly group: string;
  readonly now: number;
  /** The audiences of this API, used if a review names none. */
  readonly apiAudiences: readonly string[];
  authenticate(request: AuthenticationRequest): Decision | Promise<Decision>;
  /** Receives the decision before it becomes a response. */
  recordReview(decision: Decision): void;
}

/**
 * Creates the review. A rejected token is not an error: the response is a 201 with the reason in
 * its status.
 */
export const createTokenReview = async (
  exchange: Exchange,
  context: TokenReviewContext,
): Promise<HandlerResponse> => {
  const body = await reviewBytes(exchange);
  const compact =
    body.format === 'json' ? readCompactTokenReview(body.bytes, context.group) : undefined;
  const requested: RequestedReview = compact ?? readFullReview(exchange, body, context.group);
  const { token } = requested;
  const audiences = requested.audiences.length === 0 ? context.apiAudiences : requested.audiences;
  const decision = await decideReviewedToken(token, audiences, context);
  context.recordReview(decision);
  if (!audiencesIntersect(decision, audiences)) {
    throwStatus(internalError('error validating audiences'));
  }
  const apiVersion = `${context.group}/${servedVersion}`;
  const typeMeta = { kind: 'TokenReview', apiVersion };
  const manager = fieldManager(body.fieldManager, exchange.headers);
  const managed = { apiVersion, manager, now: context.now };
  const metadata =
    requested.fields === undefined
      ? tokenReviewMetadata(managed, requested.audiences.length > 0)
      : echoedMetadata(requested.fields, managed);
  const status = statusOf(decision, requested.fields);
  const review = { metadata, token, audiences: requested.audiences, status };
  return compact !== undefined && wantsCompactJson(exchange, 'resource')
    ? compactJsonResponse(201, tokenReviewBytes(typeMeta, review, compact.tokenBytes))
    : reviewResponse(exchange, tokenReviewObject(typeMeta, review), typeMeta);
};

interface RequestedReview extends Pick<CompactReview, 'token' | 'audiences'> {
  /** Absent for a compact review, which has no other fields. */
  readonly fields?: Fields;
}

/** Decodes a review that is not compact. */
const readFullReview = (exchange: Exchange, body: ReviewBytes, group: string): RequestedReview => {
  const type = { group, version: servedVersion, kind: 'TokenReview' } as const;
  const fields = reviewFields(exchange, body, type);
  const spec = mapField(fields, 'spec');
  const token = stringField(spec, 'token');
  if (token === '') throwStatus(badRequest('token is required for TokenReview in authentication'));
  return { token, audiences: stringListField(spec, 'audiences'), fields };
};

/** Decides a token by the rules for bearer tokens in headers. */
export const decideReviewedToken = (
  token: string,
  audiences: readonly string[],
  context: Pick<TokenReviewContext, 'authenticate'>,
): Decision | Promise<Decision> => {
  const bearer = readBareToken(token);
  // A blank token is unauthenticated and never anonymous.
  if (bearer.token === undefined) return { kind: 'noOpinion' };
  return context.authenticate({ path: '', token: bearer.token, audiences });
};

const audiencesIntersect = (decision: Decision, requested: readonly string[]): boolean =>
  decision.kind !== 'accepted' ||
  requested.length === 0 ||
  decision.audiences.some((audience) => requested.includes(audience));

/**
 * Builds the status. Fields that are not decided keep the client's values, as in kube-apiserver.
 */
const statusOf = (decision: Decision, fields: Fields | undefined): OutputMap => {
  const sentStatus = fields === undefined ? noFields : mapField(fields, 'status');
  if (decision.kind !== 'accepted') {
    const error =
      decision.kind === 'rejected' ? decision.reason.message : stringField(sentStatus, 'error');
    const audiences = stringListField(sentStatus, 'audiences');
    return reviewStatus({ authenticated: false, user: userOfReview(sentStatus), audiences, error });
  }
  if (sentStatus.size > 0) {
    const { user, audiences } = decision;
    return reviewStatus({
      authenticated: true,
      user,
      audiences,
      error: stringField(sentStatus, 'error'),
    });
  }
  const cached = statuses.get(decision);
  if (cached !== undefined) return cached;
  const { user, audiences } = decision;
  const status = reviewStatus({ authenticated: true, user, audiences, error: '' });
  statuses.set(decision, status);
  return status;
};

const noFields: Fields = new Map();

/** Caches the status of decisions, which come from caches themselves. */
const statuses = new WeakMap<Decision, OutputMap>();
