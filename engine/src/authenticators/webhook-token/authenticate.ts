/**
 * Authenticator that sends tokens to a webhook as TokenReviews. A review is used only if its
 * version, status and audiences are valid.
 */
import { FairSeats } from '../../fairness/fair-seats.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import { type CacheLimits, noCacheLimits } from '../../model/decision-bytes.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxGroupLength, maxGroups, maxPeerRequests } from '../../model/limits.ts';
import { rejectionOf } from '../../model/rejection.ts';
import { reveal } from '../../model/secret.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Authenticator, rejectedBy } from '../module.ts';
import {
  type Backoff,
  callWebhook,
  canceled,
  displaceAfterMs,
  interruption,
  type ReviewQuery,
  type WebhookContext,
  webhookBackoff,
  webhookRequestMs,
} from './call-webhook.ts';
import type { WebhookTokenMaterial } from './compile.ts';
import { decisionCache } from './decision-cache.ts';
import type { WebhookTokenNode } from './node.ts';
import {
  webhookError,
  webhookFailed,
  webhookOverloaded,
  webhookUserRefused,
} from './rejections.ts';
import type { Review } from './review-response.ts';

export interface WebhookTokenOptions {
  /**
   * `exact` behaves as kube-apiserver in every case; `product` applies the differences in
   * docs/differences.md.
   */
  readonly mode: Mode;
  readonly backoff?: Backoff;
  /** `off` sends every token to the webhook; the request is canceled when its caller leaves. */
  readonly cache?: 'on' | 'off';
  /** Memory limits of the cache; unlimited if absent. */
  readonly limits?: CacheLimits;
}

type WebhookPorts = Pick<Ports, 'clock' | 'digest' | 'http' | 'log' | 'randomness'>;

/**
 * Creates the authenticator. It checks the requested audiences itself. Connections are opened for
 * the first token.
 */
export const linkWebhookToken = (
  node: WebhookTokenNode,
  ports: WebhookPorts,
  material: WebhookTokenMaterial,
  { mode, backoff = webhookBackoff, cache = 'on', limits = noCacheLimits }: WebhookTokenOptions,
): Authenticator => {
  const peer = ports.http.connect(material.connection);
  const requests = new FairSeats({
    seats: maxPeerRequests,
    queueLength: Number.POSITIVE_INFINITY,
    waitMs: webhookRequestMs,
    patienceMs: displaceAfterMs,
    clock: ports.clock,
  });
  const context: WebhookContext = { node, material, peer, ports, mode, backoff, requests };
  const cachedDecisions =
    cache === 'off' ? undefined : decisionCache(ports, { ttlMs: node.cacheTtlMs, limits });
  return {
    async authenticate({ token, audiences }, waiter, trace) {
      if (token === undefined) return noOpinion;
      const text = reveal(token);
      const callFor = (until: Waiter) =>
        review(context, { token: text, audiences, waiter: until }, ports);
      const decision = await (cachedDecisions === undefined || trace !== undefined
        ? callFor(waiter)
        : cachedDecisions.decide({ token: text, audiences, waiter }, callFor));
      trace?.step({
        at: node.module,
        what: 'token review by webhook',
        outcome: outcomes[decision.kind],
        detail: decision.kind === 'rejected' ? decision.reason.message : details[decision.kind],
      });
      return decision;
    },
    async close() {
      cachedDecisions?.close();
      await peer.close();
    },
  };
};

const outcomes = { accepted: 'passed', rejected: 'failed', noOpinion: 'skipped' } as const;
const details = {
  accepted: 'the webhook accepted the token',
  noOpinion: 'the webhook did not accept the token, or not for these audiences',
} as const;

const review = async (
  context: WebhookContext,
  query: ReviewQuery,
  { log }: Pick<Ports, 'log'>,
): Promise<Decision> => {
  const response = await callWebhook(context, query);
  if (response.kind === 'failure') {
    if (response.overloaded) return overloaded;
    const message = withoutSecrets(response.message, query, context.material);
    // A request that is canceled because its callers have left is not a failure of the webhook.
    // kube-apiserver lets it continue.
    if (!isAbandoned(query.waiter)) {
      log.event('error', 'Failed to make webhook authenticator request', { error: message });
    }
    return rejected(rejectionOf(webhookFailed, message));
  }
  return decisionOf(response.review, query, context);
};

const isAbandoned = ({ signal }: Waiter): boolean =>
  signal.aborted && interruption(signal) === canceled;

const decisionOf = (review: Review, query: ReviewQuery, context: WebhookContext): Decision => {
  const audiences = commonAudiences(review, query.audiences, context.node.apiAudiences);
  if (audiences === undefined) return noOpinion;
  if (!review.authenticated) {
    return review.error === ''
      ? noOpinion
      : rejected(rejectionOf(webhookError, withoutSecrets(review.error, query, context.material)));
  }
  const problem = userProblem(review.user, context.mode);
  if (problem !== undefined) return rejected(rejectionOf(webhookUserRefused, problem));
  return { kind: 'accepted', by: 'webhook-token', user: review.user, audiences };
};

const overloaded = rejectedBy('webhook-token', {
  ...rejectionOf(webhookOverloaded),
  overloaded: true,
});

const rejected = (reason: Rejection): Decision => rejectedBy('webhook-token', reason);

/**
 * Returns the requested audiences that the review has, in the review's order. A review without
 * audiences has those of the API. `undefined` if none is left: the token is then not valid for this
 * request.
 */
const commonAudiences = (
  review: Review,
  requested: readonly string[],
  apiAudiences: readonly string[],
): readonly string[] | undefined => {
  if (requested.length === 0) return [];
  const requestedSet = new Set(requested);
  const reviewed = review.audiences.length > 0 ? review.audiences : apiAudiences;
  const common = reviewed.filter((audience) => requestedSet.has(audience));
  return common.length === 0 ? undefined : common;
};

const userProblem = ({ username, groups }: UserInfo, mode: Mode): string | undefined => {
  if (username === '' && differs(mode, 'empty-username')) {
    return 'the review names no user';
  }
  if (!differs(mode, 'group-limits')) return undefined;
  if (groups.length > maxGroups) return `more than ${maxGroups} groups`;
  return groups.some((group) => group.length > maxGroupLength)
    ? `a group of more than ${maxGroupLength} characters`
    : undefined;
};

/** Shorter strings occur in ordinary messages and are not secrets. */
const minSecretLength = 16;

/**
 * Removes the token and the server's credential from a message, in case the webhook returned them.
 */
const withoutSecrets = (
  message: string,
  { token }: ReviewQuery,
  { connection: { credential } }: WebhookTokenMaterial,
): string => {
  const ownSecret =
    credential === undefined
      ? ''
      : reveal(credential.kind === 'bearer' ? credential.token : credential.password);
  return [token, ownSecret]
    .filter((text) => text.length >= minSecretLength)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
};
