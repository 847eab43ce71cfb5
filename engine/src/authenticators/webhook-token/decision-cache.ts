/**
 * Caches decisions of the webhook for the duration of `--authentication-token-webhook-cache-ttl`,
 * accepted and no opinion alike; failures are not cached. Equal requests share one call, which is
 * aborted once all callers have left or after thirty seconds. Keys are keyed digests, so tokens are
 * not stored in memory. Accepted decisions have a partition of their own, so that a flood of invalid
 * tokens evicts none of them. The number of concurrent calls is limited, fairly among clients.
 */
import { FairPlaces } from '../../fairness/fair-places.ts';
import { SharedWork } from '../../fairness/shared-work.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import type { Decision } from '../../model/decision.ts';
import { type CacheLimits, decisionBytes } from '../../model/decision-bytes.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Ports } from '../../ports/ports.ts';
import { rejectedBy } from '../module.ts';
import { requestCanceled } from '../rejections.ts';
import { interruption } from './call-webhook.ts';
import { tooManyRequests } from './rejections.ts';

export interface DecisionCache {
  decide(query: CacheQuery, callWebhook: CallWebhook): Decision | Promise<Decision>;
  /** Aborts the calls in flight. */
  close(): void;
}

export interface CacheQuery {
  readonly token: string;
  readonly audiences: readonly string[];
  /** The caller, which may leave; the call continues for the others. */
  readonly waiter: Waiter;
}

export type CallWebhook = (waiter: Waiter) => Promise<Decision>;

/** The maximum numbers of accepted decisions and of decisions without an opinion. */
const maxAccepted = 32_768;
const maxUndecided = 8_192;
/** Calls in flight. If the limit is exceeded, the client with the most calls loses one. */
const maxInFlight = 4_096;
/** Timeout of one call, including its retries. */
const callTimeoutMs = 30_000;

interface CachedDecision {
  readonly decision: Decision;
  readonly endsAt: number;
  readonly bytes: number;
}

/** Cached decisions of one kind, oldest first. */
interface DecisionPartition {
  readonly decisions: Map<string, CachedDecision>;
  readonly maxEntries: number;
  bytes: number;
}

export const decisionCache = (
  { clock, digest, randomness }: Pick<Ports, 'clock' | 'digest' | 'randomness'>,
  { ttlMs, limits }: { readonly ttlMs: number; readonly limits: CacheLimits },
): DecisionCache => {
  const accepted: DecisionPartition = { decisions: new Map(), maxEntries: maxAccepted, bytes: 0 };
  const undecided: DecisionPartition = { decisions: new Map(), maxEntries: maxUndecided, bytes: 0 };
  const places = new FairPlaces(maxInFlight);
  const inFlight = new Map<string, SharedWork<Decision>>();
  let isClosed = false;
  const generation = randomness.uuid();

  const find = (key: string): Decision | undefined => {
    const partition = accepted.decisions.has(key) ? accepted : undecided;
    const cached = partition.decisions.get(key);
    if (cached === undefined) return undefined;
    if (cached.endsAt > clock.monotonic()) return cached.decision;
    remove(partition, key);
    return undefined;
  };

  const store = (key: string, decision: Decision): void => {
    if (decision.kind === 'rejected' || ttlMs <= 0 || isClosed) return;
    const partition = decision.kind === 'accepted' ? accepted : undecided;
    const bytes = decisionBytes(decision);
    remove(partition, key);
    partition.decisions.set(key, { decision, endsAt: clock.monotonic() + ttlMs, bytes });
    partition.bytes += bytes;
    for (const oldest of partition.decisions.keys()) {
      if (partition.decisions.size <= partition.maxEntries && partition.bytes <= limits.cacheBytes)
        return;
      remove(partition, oldest);
    }
  };

  const start = (
    key: string,
    callWebhook: CallWebhook,
    waiter: Waiter,
  ): SharedWork<Decision> | undefined => {
    const call = new SharedWork<Decision>(waiter);
    const hasBegun = call.begin({
      places,
      refused: tooManyCalls,
      left: canceled,
      onAbandoned: () => end(),
    });
    if (!hasBegun) return undefined;
    const cancelDeadline = clock.after(callTimeoutMs, () => call.abort(timeout()));
    const end = (): void => {
      cancelDeadline();
      if (inFlight.get(key) === call) inFlight.delete(key);
    };
    inFlight.set(key, call);
    const finish = (decision: Decision): void => {
      end();
      store(key, decision);
      call.settle(decision);
    };
    callWebhook(call).then(finish, (error: unknown) => {
      end();
      call.fail(error);
    });
    return call;
  };

  return {
    decide({ token, audiences, waiter }, callWebhook) {
      const key = digest.fingerprint(keyPrefix(generation, audiences), token);
      const cachedDecision = find(key);
      if (cachedDecision !== undefined) return cachedDecision;
      const { signal } = waiter;
      if (signal.aborted) return canceled(signal);
      const call = inFlight.get(key) ?? start(key, callWebhook, waiter);
      return call === undefined ? tooManyCalls : call.join(waiter);
    },
    close() {
      isClosed = true;
      for (const call of inFlight.values()) call.abort();
    },
  };
};

const remove = (partition: DecisionPartition, key: string): void => {
  const cached = partition.decisions.get(key);
  if (cached === undefined) return;
  partition.decisions.delete(key);
  partition.bytes -= cached.bytes;
};

const tooManyCalls = rejectedBy('webhook-token', {
  ...rejectionOf(tooManyRequests, maxInFlight),
  overloaded: true,
});

const timeout = (): Error =>
  Object.assign(new Error('the deadline has passed'), { name: 'TimeoutError' });

/** Returns the prefix of a cache key. The token follows it and is last, so it needs no length. */
const keyPrefix = (generation: string, audiences: readonly string[]): string => {
  const parts = audiences.map((audience) => `${audience.length}:${audience}`);
  return `${generation.length}:${generation}${audiences.length};${parts.join('')}`;
};

/** The decision for a caller that left before the response. */
const canceled = (signal: AbortSignal): Decision =>
  rejectedBy('webhook-token', rejectionOf(requestCanceled, interruption(signal)));
