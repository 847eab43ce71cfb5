/**
 * Asks a remote service whose a token is. Its word counts only where the review is whole: its version,
 * its status, its audiences; it names the user as it likes, and is trusted for nothing else.
 */
import { FairSeats } from '../../fairness/fair-seats.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import { type CacheLimits, noCacheLimits } from '../../model/decision-bytes.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxGroupLength, maxGroups, maxPeerRequests } from '../../model/limits.ts';
import { reveal } from '../../model/secret.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Authenticator } from '../module.ts';
import {
  type WebhookContext,
  callWebhook,
  type Backoff,
  canceled,
  interruption,
  type ReviewQuery,
  webhookBackoff,
  webhookPatienceMs,
  webhookRequestMs,
} from './call-webhook.ts';
import type { WebhookTokenMaterial } from './compile.ts';
import type { WebhookTokenNode } from './node.ts';
import type { RejectionCode } from './rejections.ts';
import { replyCache } from './reply-cache.ts';
import type { Review } from './review-reply.ts';

export interface WebhookTokenOptions {
  /** `exact`: as the real server in every case; `product`: with the deliberate differences. */
  readonly mode: Mode;
  readonly backoff?: Backoff;
  /** `off`: every question is asked, and ends with who asked. */
  readonly cache?: 'on' | 'off';
  /** Memory of the cache; unlimited where absent. */
  readonly limits?: CacheLimits;
}

type WebhookPorts = Pick<Ports, 'clock' | 'digest' | 'http' | 'log' | 'randomness'>;

/** Knows audiences: it looks itself at what is asked for. Opens connections with the first token. */
export const authenticateWebhookToken = (
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
    patienceMs: webhookPatienceMs,
    clock: ports.clock,
  });
  const context: WebhookContext = { node, material, peer, ports, mode, backoff, requests };
  const replies =
    cache === 'off' ? undefined : replyCache(ports, { ttlMs: node.cacheTtlMs, limits });
  return {
    async decide({ token, audiences }, waiter, trace) {
      if (token === undefined) return noOpinion;
      const text = reveal(token);
      const callFor = (until: Waiter) =>
        review(context, { token: text, audiences, waiter: until }, ports);
      const decision = await (replies === undefined || trace !== undefined
        ? callFor(waiter)
        : replies.decide({ token: text, audiences, waiter }, callFor));
      trace?.step({
        at: node.module,
        what: 'token review by webhook',
        outcome: outcomes[decision.kind],
        detail: decision.kind === 'rejected' ? decision.reason.message : details[decision.kind],
      });
      return decision;
    },
    readiness: () => ({ ready: true }),
    async close() {
      replies?.close();
      await peer.close();
    },
  };
};

const outcomes = { accepted: 'passed', rejected: 'failed', noOpinion: 'skipped' } as const;
const details = {
  accepted: 'the webhook knows the token',
  noOpinion: 'the webhook does not know the token, or not for these audiences',
} as const;

const review = async (
  context: WebhookContext,
  query: ReviewQuery,
  { log }: Pick<Ports, 'log'>,
): Promise<Decision> => {
  const reply = await callWebhook(context, query);
  if (reply.kind === 'failure') {
    if (reply.overloaded) return overloaded;
    const message = withoutSecrets(reply.message, query, context.material);
    // A request whose callers have left is no failure of the webhook. kube-apiserver lets it go on.
    if (!isAbandoned(query.waiter)) {
      log.event('error', 'Failed to make webhook authenticator request', { error: message });
    }
    return rejected('AG5060', message);
  }
  return decisionOf(reply.review, query, context);
};

const isAbandoned = ({ signal }: Waiter): boolean =>
  signal.aborted && interruption(signal) === canceled;

const decisionOf = (review: Review, query: ReviewQuery, context: WebhookContext): Decision => {
  const audiences = commonAudiences(review, query.audiences, context.node.apiAudiences);
  if (audiences === undefined) return noOpinion;
  if (!review.authenticated) {
    return review.error === ''
      ? noOpinion
      : rejected('AG5061', withoutSecrets(review.error, query, context.material));
  }
  const problem = userProblem(review.user, context.mode);
  if (problem !== undefined) return rejected('AG5062', problem);
  return { kind: 'accepted', by: 'webhook-token', user: review.user, audiences };
};

const overloaded: Decision = {
  kind: 'rejected',
  by: 'webhook-token',
  reason: {
    code: 'AG5063',
    message: 'webhook: too many requests wait for its answers',
    overloaded: true,
  },
};

const rejected = (code: RejectionCode, message: string): Decision => ({
  kind: 'rejected',
  by: 'webhook-token',
  reason: { code, message },
});

/**
 * The review's audiences that were asked for, in its order; the API's own stand for a review without
 * any. `undefined` where none was: then the token is not for us.
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
    return 'webhook: refused: the review names no user';
  }
  if (!differs(mode, 'group-limits')) return undefined;
  if (groups.length > maxGroups) return `webhook: refused: more than ${maxGroups} groups`;
  return groups.some((group) => group.length > maxGroupLength)
    ? `webhook: refused: a group of more than ${maxGroupLength} characters`
    : undefined;
};

/** Shorter texts stand in any message, and are no secrets. */
const minSecretLength = 16;

/** A webhook may say back to us what we sent; the log must not. */
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
    .reduce((text, found) => text.replaceAll(found, '[redacted]'), message);
};
