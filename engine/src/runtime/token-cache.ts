/**
 * Decisions by token: accepted ones for ten seconds and never beyond the token's own end. Refusals
 * and errors are not kept unless asked for, and then apart, so a flood of bad tokens pushes nothing
 * out. The key is a keyed digest over length-prefixed parts, so the cache holds no token and no two
 * requests share a key. The cache belongs to one linked graph: a swap leaves it behind, a check under
 * way can't fill the next one.
 */
import type { Decision } from '../model/decision.ts';
import { acceptedLifetimeMs, maxCachedDecisions, sharedCheckMs } from '../model/limits.ts';
import type { Ports } from '../ports/ports.ts';
import { mask } from './decision-log.ts';
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
}

/** A decision and the moment of the monotonic clock at which it is forgotten. */
export interface KeptDecision {
  readonly decision: Decision;
  readonly endsAt: number;
}

export interface TokenCache {
  /**
   * From memory, from a check of the same token under way, or from `decide`. A check goes on when who
   * asked for it has left, up to its limit; one that fails for a fault of ours refuses the token.
   */
  decide(
    request: { readonly token: string; readonly audiences: readonly string[] },
    decide: () => Decision | Promise<Decision>,
  ): KeptDecision | Promise<KeptDecision>;
  /** Counts an answer that a connection remembered by itself. */
  countHit(): void;
  readonly size: number;
}

/** `endsAt` of a decision that is not kept. */
const notKept = Number.NEGATIVE_INFINITY;

interface Entry extends KeptDecision {
  /** Asked for since it was last looked at for eviction. */
  used: boolean;
}

type Entries = Map<string, Entry>;

/** An empty cache. */
export const tokenCache = (
  { clock, digest, metrics, log }: Pick<Ports, 'clock' | 'digest' | 'metrics' | 'log'>,
  options: TokenCacheOptions,
): TokenCache => {
  const lifetimeMs = options.acceptedLifetimeMs ?? acceptedLifetimeMs;
  const refusedLifetimeMs = options.refusedLifetimeMs ?? 0;
  const maxEntries = options.maxEntries ?? maxCachedDecisions;
  const accepted: Entries = new Map();
  const refused: Entries = new Map();
  const underWay = new Map<string, Promise<KeptDecision>>();
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
    const entry: Entry = { decision, endsAt: now + ownLifetimeMs, used: false };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) evict(entries, now);
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
    entries.delete(key);
    return undefined;
  };

  const fail = (fault: unknown, decision: Decision): KeptDecision => {
    log.event('error', 'authentication failed unexpectedly', { error: mask(String(fault)) });
    counts.fetched('error');
    return { decision, endsAt: notKept };
  };

  /** What comes after the limit is not looked at any more. */
  const share = (key: string, checking: Promise<Decision>): Promise<KeptDecision> => {
    const done = counts.fetching();
    const shared = new Promise<KeptDecision>((resolve) => {
      let waiting = true;
      const settle = (answer: () => KeptDecision): void => {
        if (!waiting) return;
        waiting = false;
        stopWaiting();
        underWay.delete(key);
        done();
        resolve(answer());
      };
      const stopWaiting = clock.after(sharedCheckMs, () =>
        settle(() => fail('a check took too long', tooLate)),
      );
      checking.then(
        (decision) => settle(() => keep(key, decision)),
        (fault: unknown) => settle(() => fail(fault, crashed)),
      );
    });
    underWay.set(key, shared);
    return shared;
  };

  const start = (
    key: string,
    decide: () => Decision | Promise<Decision>,
  ): KeptDecision | Promise<KeptDecision> => {
    try {
      const decision = decide();
      return decision instanceof Promise ? share(key, decision) : keep(key, decision);
    } catch (fault) {
      return fail(fault, crashed);
    }
  };

  return {
    decide({ token, audiences }, decide) {
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
      const answer = underWay.get(key) ?? start(key, decide);
      counts.missed(answer, started);
      return answer;
    },
    countHit: counts.hit,
    get size() {
      return accepted.size + refused.size;
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
    entries.delete(key);
    if (!entry.used || entry.endsAt <= now) return;
    entry.used = false;
    entries.set(key, entry);
  }
};
