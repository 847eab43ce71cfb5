/**
 * Decisions by token: accepted ones for ten seconds and never beyond the token's own end. Refusals
 * and errors are not kept unless asked for, and then apart, so a flood of bad tokens pushes nothing
 * out. The key is a keyed digest over length-prefixed parts, so the cache holds no token and no two
 * requests share a key. The cache belongs to one linked graph: a swap leaves it behind, a check under
 * way can't fill the next one.
 */
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
import { acceptedLifetimeMs, maxCachedDecisions, sharedCheckMs } from '../model/limits.ts';
import type { Ports } from '../ports/ports.ts';
import { cacheCounts } from './token-cache-counts.ts';

export interface TokenCacheOptions {
  /** Of this graph; part of every key. */
  readonly generation: string;
  readonly acceptedLifetimeMs?: number;
  /** Of decisions that accept nobody; 0, and so not kept, by default. */
  readonly refusedLifetimeMs?: number;
  /** Are rejections kept as long as refusals without an error? */
  readonly keepErrors?: 'yes' | 'no';
  readonly maxEntries?: number;
  /** Unlimited where absent. */
  readonly limits?: CacheLimits;
}

/** A decision and the moment of the monotonic clock at which it is forgotten. */
export interface KeptDecision {
  readonly decision: Decision;
  readonly endsAt: number;
}

export interface TokenCache {
  /**
   * From memory, from a check of the same token under way, or from `decide`. A check is aborted when its last
   * caller has left; one that fails for a fault of ours rejects the token. Clients share the memory of the
   * checks that wait; a check that does not wait needs none.
   */
  decide(
    request: { readonly token: string; readonly audiences: readonly string[] },
    decide: Check,
    waiter: Waiter,
  ): KeptDecision | Promise<KeptDecision>;
  /** Counts an answer that a connection remembered by itself. */
  countHit(): void;
  readonly size: number;
  /** Aborts the checks under way. */
  close(): void;
}

/** Decides about a token. The waiter stands for all callers that wait for this check. */
export type Check = (waiter: Waiter) => Decision | Promise<Decision>;

/** `endsAt` of a decision that is not kept. */
const notKept = Number.NEGATIVE_INFINITY;

interface Entry extends KeptDecision {
  /** Asked for since it was last looked at for eviction. */
  used: boolean;
  readonly bytes: number;
}

interface Entries extends Map<string, Entry> {
  bytes: number;
}

/** An empty cache. */
export const tokenCache = (
  { clock, digest, metrics, log }: Pick<Ports, 'clock' | 'digest' | 'metrics' | 'log'>,
  options: TokenCacheOptions,
): TokenCache => {
  const lifetimeMs = options.acceptedLifetimeMs ?? acceptedLifetimeMs;
  const refusedLifetimeMs = options.refusedLifetimeMs ?? 0;
  const maxEntries = options.maxEntries ?? maxCachedDecisions;
  const limits = options.limits ?? noCacheLimits;
  const accepted = noEntries();
  const refused = noEntries();
  const pending = new FairPlaces(limits.pendingTokenBytes);
  const underWay = new Map<string, SharedWork<KeptDecision>>();
  const counts = cacheCounts(metrics, clock);
  const prefix = `${options.generation.length}:${options.generation}`;
  const plainHead = `${prefix}0;`;

  const put = (
    entries: Entries,
    key: string,
    decision: Decision,
    ownLifetimeMs: number,
  ): KeptDecision => {
    if (!(ownLifetimeMs > 0)) return { decision, endsAt: notKept };
    const now = clock.monotonic();
    const bytes = decisionBytes(decision);
    const entry: Entry = { decision, endsAt: now + ownLifetimeMs, used: false, bytes };
    remove(entries, key);
    entries.set(key, entry);
    entries.bytes += bytes;
    while (entries.size > maxEntries || entries.bytes > limits.cacheBytes) evict(entries, now);
    return entry;
  };

  const keep = (key: string, decided: Decision): KeptDecision => {
    counts.fetched(decided.kind === 'rejected' ? 'error' : 'ok');
    const decision = withoutRemarks(decided);
    if (decision.kind === 'accepted') {
      const ownMs = (decision.expiresAtMs ?? Number.POSITIVE_INFINITY) - clock.now();
      return put(accepted, key, decision, Math.min(lifetimeMs, ownMs));
    }
    const keptAtAll = decision.kind === 'noOpinion' || options.keepErrors === 'yes';
    return put(refused, key, decision, keptAtAll ? refusedLifetimeMs : 0);
  };

  const find = (entries: Entries, key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.endsAt > clock.monotonic()) {
      entry.used = true;
      return entry;
    }
    remove(entries, key);
    return undefined;
  };

  const fail = (fault: unknown, decision: Decision): KeptDecision => {
    log.event('error', 'authentication failed unexpectedly', { error: fault });
    counts.fetched('error');
    return { decision, endsAt: notKept };
  };

  const start = (
    key: string,
    decide: Check,
    { waiter, tokenLength }: { readonly waiter: Waiter; readonly tokenLength: number },
  ): KeptDecision | Promise<KeptDecision> => {
    const check = new SharedWork<KeptDecision>(waiter);
    let deciding: Decision | Promise<Decision>;
    try {
      deciding = decide(check);
    } catch (fault) {
      return fail(fault, crashed);
    }
    if (!(deciding instanceof Promise)) return keep(key, deciding);
    const begun = check.begin({
      places: pending,
      size: pendingTokenSize(tokenLength),
      refused: { decision: tooMany, endsAt: notKept },
      left: canceled,
      onAbandoned() {
        if (end()) counts.fetched('error');
      },
    });
    if (!begun) {
      deciding.catch(ignore);
      return { decision: tooMany, endsAt: notKept };
    }
    const done = counts.fetching();
    const cancelDeadline = clock.after(sharedCheckMs, () => {
      if (!end()) return;
      check.settle(fail('a check took too long', tooLate));
      check.abort();
    });
    /** False where the check has ended before; what comes later is ignored. */
    const end = (): boolean => {
      if (underWay.get(key) !== check) return false;
      underWay.delete(key);
      cancelDeadline();
      done();
      return true;
    };
    underWay.set(key, check);
    deciding.then(
      (decision) => {
        if (end()) check.settle(keep(key, decision));
      },
      (fault: unknown) => {
        if (end()) check.settle(fail(fault, crashed));
      },
    );
    return check.join(waiter);
  };

  return {
    decide({ token, audiences }, decide, waiter) {
      const head = audiences.length === 0 ? plainHead : prefix + lengthPrefixed(audiences);
      // Bytes that are no UTF-8 stand as lone surrogates, which a digest could not tell apart.
      const key = token.isWellFormed()
        ? digest.fingerprint(head, token)
        : digest.fingerprint(`~${head}`, JSON.stringify(token));
      const entry = find(accepted, key) ?? (refused.size > 0 ? find(refused, key) : undefined);
      if (entry !== undefined) {
        counts.hit();
        return entry;
      }
      const started = counts.now();
      const answer =
        underWay.get(key)?.join(waiter) ??
        start(key, decide, { waiter, tokenLength: token.length });
      counts.missed(answer, started);
      return answer;
    },
    countHit: counts.hit,
    get size() {
      return accepted.size + refused.size;
    },
    close() {
      for (const check of underWay.values()) check.abort();
    },
  };
};

const crashed: Decision = {
  kind: 'rejected',
  reason: {
    code: 'AG5000',
    message: 'Internal error occurred: authentication failed unexpectedly',
  },
};

const tooMany: Decision = {
  kind: 'rejected',
  reason: {
    code: 'AG5026',
    message: 'refused: too many tokens wait for issuers or webhooks',
    overloaded: true,
  },
};

/** For a caller that left before the decision. */
const canceled = (): KeptDecision => ({
  decision: {
    kind: 'rejected',
    by: 'jwt',
    reason: { code: 'AG5023', message: 'context canceled' },
  },
  endsAt: notKept,
});

const ignore = (): void => {};

const noEntries = (): Entries => Object.assign(new Map<string, Entry>(), { bytes: 0 });

const remove = (entries: Entries, key: string): void => {
  const entry = entries.get(key);
  if (entry === undefined) return;
  entries.delete(key);
  entries.bytes -= entry.bytes;
};

const tooLate: Decision = {
  kind: 'rejected',
  reason: { code: 'AG5023', message: 'context deadline exceeded' },
};

/** What a module says beside a refusal goes nowhere, as in the real server. */
const withoutRemarks = (decision: Decision): Decision => {
  if (decision.kind !== 'rejected' || decision.remarks === undefined) return decision;
  const { remarks: _, ...rest } = decision;
  return rest;
};

/** The token stands behind it, last, so that it needs no length. */
const lengthPrefixed = (audiences: readonly string[]): string => {
  let text = `${audiences.length};`;
  for (const audience of audiences) text += `${audience.length}:${audience}`;
  return text;
};

/** Drops the oldest that was not asked for lately; one that was goes to the end of the line. */
const evict = (entries: Entries, now: number): void => {
  for (const [key, entry] of entries) {
    remove(entries, key);
    if (!entry.used || entry.endsAt <= now) return;
    entry.used = false;
    entries.set(key, entry);
    entries.bytes += entry.bytes;
  }
};
