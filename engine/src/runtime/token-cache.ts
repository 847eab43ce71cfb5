/**
 * Caches decisions by token, like kube-apiserver's `cached_token_authenticator`: accepted ones for
 * ten seconds, but never beyond the expiry of the token. Other decisions are cached only if
 * configured, in a partition of their own, so that invalid tokens evict no valid ones. Keys are
 * keyed digests over length-prefixed parts, so the cache contains no tokens and different requests
 * have different keys. Each linked graph has its own cache; a check in flight during a reload
 * cannot fill the next one.
 */
import { requestCanceled } from '../authenticators/rejections.ts';
import { FairPlaces } from '../fairness/fair-places.ts';
import { SharedWork } from '../fairness/shared-work.ts';
import type { Waiter } from '../fairness/waiter.ts';
import type { Decision } from '../model/decision.ts';
import {
  type CacheLimits,
  decisionBytes,
  noCacheLimits,
  pendingTokenSize,
} from '../model/decision-bytes.ts';
import { defaultSuccessTtlMs, maxCachedDecisions, tokenCheckTimeoutMs } from '../model/limits.ts';
import { rejectionOf } from '../model/rejection.ts';
import type { Ports } from '../ports/ports.ts';
import { internalError, tooManyChecks } from './rejections.ts';
import { cacheCounts } from './token-cache-counts.ts';

export interface TokenCacheOptions {
  /** Identifies the graph; part of every key. */
  readonly keyPrefix: string;
  readonly successTtlMs?: number;
  /** How long decisions without a user are cached; 0, the default, disables this. */
  readonly failureTtlMs?: number;
  /** Caches rejections for `failureTtlMs` as well. */
  readonly cacheErrors?: 'yes' | 'no';
  readonly maxEntries?: number;
  /** Memory limits; unlimited if absent. */
  readonly limits?: CacheLimits;
}

/** A decision and when it expires on the monotonic clock. */
export interface CachedDecision {
  readonly decision: Decision;
  readonly expiresAt: number;
}

export interface TokenCache {
  /**
   * Returns the decision from the cache, from a check of the same token in flight, or from
   * `decide`. A check is aborted when its last caller leaves; an internal error rejects the token.
   * The memory of waiting checks is limited, fairly among clients; a check that does not wait needs
   * none.
   */
  decide(
    request: { readonly token: string; readonly audiences: readonly string[] },
    decide: CheckToken,
    waiter: Waiter,
  ): CachedDecision | Promise<CachedDecision>;
  /** Counts a decision that a connection cached itself. */
  countHit(): void;
  readonly size: number;
  /** Aborts the checks in flight. */
  close(): void;
}

/** Validates a token. The waiter represents all callers of the check. */
export type CheckToken = (waiter: Waiter) => Decision | Promise<Decision>;

/** The expiry of a decision that is not cached. */
const notCached = Number.NEGATIVE_INFINITY;

interface Entry extends CachedDecision {
  /** True if the entry was used since eviction last considered it. */
  isUsed: boolean;
  readonly bytes: number;
}

interface Entries extends Map<string, Entry> {
  bytes: number;
}

/** Creates an empty cache. */
export const tokenCache = (
  { clock, digest, metrics, log }: Pick<Ports, 'clock' | 'digest' | 'metrics' | 'log'>,
  options: TokenCacheOptions,
): TokenCache => {
  const successTtlMs = options.successTtlMs ?? defaultSuccessTtlMs;
  const failureTtlMs = options.failureTtlMs ?? 0;
  const maxEntries = options.maxEntries ?? maxCachedDecisions;
  const limits = options.limits ?? noCacheLimits;
  const accepted = createEntries();
  const failures = createEntries();
  const pending = new FairPlaces(limits.pendingTokenBytes);
  const inFlight = new Map<string, SharedWork<CachedDecision>>();
  const counts = cacheCounts(metrics, clock);
  const prefix = `${options.keyPrefix.length}:${options.keyPrefix}`;
  const prefixWithoutAudiences = `${prefix}0;`;

  const put = (
    entries: Entries,
    key: string,
    decision: Decision,
    ttlMs: number,
  ): CachedDecision => {
    if (!(ttlMs > 0)) return { decision, expiresAt: notCached };
    const now = clock.monotonic();
    const bytes = decisionBytes(decision);
    const entry: Entry = { decision, expiresAt: now + ttlMs, isUsed: false, bytes };
    remove(entries, key);
    entries.set(key, entry);
    entries.bytes += bytes;
    while (entries.size > maxEntries || entries.bytes > limits.cacheBytes) evict(entries, now);
    return entry;
  };

  const store = (key: string, fresh: Decision): CachedDecision => {
    counts.fetched(fresh.kind === 'rejected' ? 'error' : 'ok');
    const decision = withoutRemarks(fresh);
    if (decision.kind === 'accepted') {
      const remainingMs = (decision.expiresAtMs ?? Number.POSITIVE_INFINITY) - clock.now();
      return put(accepted, key, decision, Math.min(successTtlMs, remainingMs));
    }
    const isCacheable = decision.kind === 'noOpinion' || options.cacheErrors === 'yes';
    return put(failures, key, decision, isCacheable ? failureTtlMs : 0);
  };

  const find = (entries: Entries, key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > clock.monotonic()) {
      entry.isUsed = true;
      return entry;
    }
    remove(entries, key);
    return undefined;
  };

  const failUnexpectedly = (error: unknown, decision: Decision): CachedDecision => {
    log.event('error', 'authentication failed unexpectedly', { error });
    counts.fetched('error');
    return { decision, expiresAt: notCached };
  };

  const startCheck = (
    key: string,
    decide: CheckToken,
    { waiter, tokenLength }: { readonly waiter: Waiter; readonly tokenLength: number },
  ): CachedDecision | Promise<CachedDecision> => {
    const check = new SharedWork<CachedDecision>(waiter);
    let deciding: Decision | Promise<Decision>;
    try {
      deciding = decide(check);
    } catch (fault) {
      return failUnexpectedly(fault, crashedDecision);
    }
    if (!(deciding instanceof Promise)) return store(key, deciding);
    const hasBegun = check.begin({
      places: pending,
      size: pendingTokenSize(tokenLength),
      refused: { decision: tooManyPending, expiresAt: notCached },
      left: canceled,
      onAbandoned() {
        if (end()) counts.fetched('error');
      },
    });
    if (!hasBegun) {
      deciding.catch(ignore);
      return { decision: tooManyPending, expiresAt: notCached };
    }
    const done = counts.fetching();
    const cancelDeadline = clock.after(tokenCheckTimeoutMs, () => {
      if (!end()) return;
      check.settle(failUnexpectedly('a check took too long', deadlineExceeded));
      check.abort();
    });
    /**
     * Ends the check; returns false if it has ended before, in which case its result is ignored.
     */
    const end = (): boolean => {
      if (inFlight.get(key) !== check) return false;
      inFlight.delete(key);
      cancelDeadline();
      done();
      return true;
    };
    inFlight.set(key, check);
    deciding.then(
      (decision) => {
        if (end()) check.settle(store(key, decision));
      },
      (fault: unknown) => {
        if (end()) check.settle(failUnexpectedly(fault, crashedDecision));
      },
    );
    return check.join(waiter);
  };

  return {
    decide({ token, audiences }, decide, waiter) {
      const keyPrefix =
        audiences.length === 0 ? prefixWithoutAudiences : prefix + lengthPrefixed(audiences);
      // Bytes that are not UTF-8 are lone surrogates, which would all have the same digest.
      const key = token.isWellFormed()
        ? digest.fingerprint(keyPrefix, token)
        : digest.fingerprint(`~${keyPrefix}`, JSON.stringify(token));
      const entry = find(accepted, key) ?? (failures.size > 0 ? find(failures, key) : undefined);
      if (entry !== undefined) {
        counts.hit();
        return entry;
      }
      const started = counts.now();
      const answer =
        inFlight.get(key)?.join(waiter) ??
        startCheck(key, decide, { waiter, tokenLength: token.length });
      counts.missed(answer, started);
      return answer;
    },
    countHit: counts.hit,
    get size() {
      return accepted.size + failures.size;
    },
    close() {
      for (const check of inFlight.values()) check.abort();
    },
  };
};

const crashedDecision: Decision = {
  kind: 'rejected',
  reason: rejectionOf(internalError),
};

const tooManyPending: Decision = {
  kind: 'rejected',
  reason: { ...rejectionOf(tooManyChecks), overloaded: true },
};

/**
 * The decision for a caller that left before the check ended, whichever authenticator it waited for.
 */
const canceled = (): CachedDecision => ({
  decision: {
    kind: 'rejected',
    by: 'jwt',
    reason: rejectionOf(requestCanceled, 'context canceled'),
  },
  expiresAt: notCached,
});

const ignore = (): void => {};

const createEntries = (): Entries => Object.assign(new Map<string, Entry>(), { bytes: 0 });

const remove = (entries: Entries, key: string): void => {
  const entry = entries.get(key);
  if (entry === undefined) return;
  entries.delete(key);
  entries.bytes -= entry.bytes;
};

const deadlineExceeded: Decision = {
  kind: 'rejected',
  reason: rejectionOf(requestCanceled, 'context deadline exceeded'),
};

/** Removes warnings and annotations of a rejection, which kube-apiserver drops as well. */
const withoutRemarks = (decision: Decision): Decision => {
  if (decision.kind !== 'rejected' || decision.remarks === undefined) return decision;
  const { remarks: _, ...rest } = decision;
  return rest;
};

/** Formats the audiences for the key. The token follows and is last, so it needs no length. */
const lengthPrefixed = (audiences: readonly string[]): string => {
  let text = `${audiences.length};`;
  for (const audience of audiences) text += `${audience.length}:${audience}`;
  return text;
};

/** Evicts the oldest entry that was not used recently; a recently used one moves to the end. */
const evict = (entries: Entries, now: number): void => {
  for (const [key, entry] of entries) {
    remove(entries, key);
    if (!entry.isUsed || entry.expiresAt <= now) return;
    entry.isUsed = false;
    entries.set(key, entry);
    entries.bytes += entry.bytes;
  }
};
