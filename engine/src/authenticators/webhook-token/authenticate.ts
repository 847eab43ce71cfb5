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
  type Asking,
  askWebhook,
  type Backoff,
  canceled,
  interruption,
  type Question,
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
  const asking: Asking = { node, material, peer, ports, mode, backoff, requests };
  const replies =
    cache === 'off' ? undefined : replyCache(ports, { lifetimeMs: node.cacheTtlMs, limits });
  return {
    async decide({ token, audiences }, waiter, trace) {
      if (token === undefined) return noOpinion;
      const text = reveal(token);
      const ask = (until: Waiter) =>
        judge(asking, { token: text, audiences, waiter: until }, ports);
      const decision = await (replies === undefined || trace !== undefined
        ? ask(waiter)
        : replies.decide({ token: text, audiences, waiter }, ask));
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

const judge = async (
  asking: Asking,
  question: Question,
  { log }: Pick<Ports, 'log'>,
): Promise<Decision> => {
  const reply = await askWebhook(asking, question);
  if (reply.kind === 'failure') {
    if (reply.overloaded) return overloaded;
    const message = withoutSecrets(reply.message, question, asking.material);
    // A request whose callers have left is no failure of the webhook. kube-apiserver lets it go on.
    if (!isAbandoned(question.waiter)) {
      log.event('error', 'Failed to make webhook authenticator request', { error: message });
    }
    return rejected('AG5060', message);
  }
  return decisionOf(reply.review, question, asking);
};

const isAbandoned = ({ signal }: Waiter): boolean =>
  signal.aborted && interruption(signal) === canceled;

const decisionOf = (review: Review, question: Question, asking: Asking): Decision => {
  const audiences = commonAudiences(review, question.audiences, asking.node.apiAudiences);
  if (audiences === undefined) return noOpinion;
  if (!review.authenticated) {
    return review.error === ''
      ? noOpinion
      : rejected('AG5061', withoutSecrets(review.error, question, asking.material));
  }
  const problem = userProblem(review.user, asking.mode);
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
  own: readonly string[],
): readonly string[] | undefined => {
  if (requested.length === 0) return [];
  const wanted = new Set(requested);
  const given = review.audiences.length > 0 ? review.audiences : own;
  const common = given.filter((audience) => wanted.has(audience));
  return common.length === 0 ? undefined : common;
};

const userProblem = ({ username, groups }: UserInfo, mode: Mode): string | undefined => {
  if (username === '' && differs(mode, 'nameless-user')) {
    return 'webhook: refused: the review names no user';
  }
  if (!differs(mode, 'group-limits')) return undefined;
  if (groups.length > maxGroups) return `webhook: refused: more than ${maxGroups} groups`;
  return groups.some((group) => group.length > maxGroupLength)
    ? `webhook: refused: a group of more than ${maxGroupLength} characters`
    : undefined;
};

/** Shorter texts stand in any message, and are no secrets. */
const leastSecretLength = 16;

/** A webhook may say back to us what we sent; the log must not. */
const withoutSecrets = (
  message: string,
  { token }: Question,
  { connection: { credential } }: WebhookTokenMaterial,
): string => {
  const ours =
    credential === undefined
      ? ''
      : reveal(credential.kind === 'bearer' ? credential.token : credential.password);
  return [token, ours]
    .filter((text) => text.length >= leastSecretLength)
    .reduce((text, found) => text.replaceAll(found, '[redacted]'), message);
};
