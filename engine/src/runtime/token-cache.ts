/**
 * Accepted decisions by token, for ten seconds and never beyond the token's own end. Refusals and
 * errors are not kept, so a flood of bad tokens pushes nothing out. The key is a keyed digest over
 * length-prefixed parts, so no token stays in memory and no two requests share a key. The cache
 * belongs to one linked graph: a swap leaves it behind, a check under way can't fill the next one.
 */
import type { Decision } from '../model/decision.ts';
import { acceptedLifetimeMs, maxCachedDecisions } from '../model/limits.ts';
import type { Ports } from '../ports/ports.ts';

export interface TokenCacheOptions {
  /** Of this graph; part of every key. */
  readonly generation: string;
  readonly acceptedLifetimeMs?: number;
  readonly maxEntries?: number;
}

/** A decision and the moment of the monotonic clock at which it is forgotten. */
export interface KeptDecision {
  readonly decision: Decision;
  readonly endsAt: number;
}

export interface TokenCache {
  /** From memory, from a check of the same token under way, or from `decide`. */
  decide(
    request: { readonly token: string; readonly audiences: readonly string[] },
    decide: () => Decision | Promise<Decision>,
  ): KeptDecision | Promise<KeptDecision>;
  readonly size: number;
}

/** `endsAt` of a decision that is not kept. */
const notKept = Number.NEGATIVE_INFINITY;

interface Entry extends KeptDecision {
  /** Asked for since it was last looked at for eviction. */
  used: boolean;
}

/** An empty cache. */
export const tokenCache = (
  { clock, digest, metrics }: Pick<Ports, 'clock' | 'digest' | 'metrics'>,
  options: TokenCacheOptions,
): TokenCache => {
  const lifetimeMs = options.acceptedLifetimeMs ?? acceptedLifetimeMs;
  const maxEntries = options.maxEntries ?? maxCachedDecisions;
  const entries = new Map<string, Entry>();
  const underWay = new Map<string, Promise<KeptDecision>>();
  const prefix = `${options.generation.length}:${options.generation}`;
  const plainHead = `${prefix}0;`;

  const keep = (key: string, decision: Decision): KeptDecision => {
    metrics.increment(fetches, decision.kind === 'rejected' ? failed : succeeded);
    if (decision.kind !== 'accepted') return { decision, endsAt: notKept };
    const now = clock.monotonic();
    const ownMs = (decision.expiresAtMs ?? Number.POSITIVE_INFINITY) - clock.now();
    const endsAt = now + Math.min(lifetimeMs, ownMs);
    if (endsAt <= now) return { decision, endsAt: notKept };
    const entry: Entry = { decision, endsAt, used: false };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) evict(entries, now);
    return entry;
  };

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.endsAt > clock.monotonic()) {
      entry.used = true;
      return entry;
    }
    entries.delete(key);
    return undefined;
  };

  const start = (
    key: string,
    decide: () => Decision | Promise<Decision>,
  ): KeptDecision | Promise<KeptDecision> => {
    const decision = decide();
    if (!(decision instanceof Promise)) return keep(key, decision);
    const shared = decision
      .then((settled) => keep(key, settled))
      .finally(() => underWay.delete(key));
    underWay.set(key, shared);
    return shared;
  };

  return {
    decide(request, decide) {
      const { token, audiences } = request;
      const head = audiences.length === 0 ? plainHead : prefix + lengthPrefixed(audiences);
      const key = digest.fingerprint(head, token);
      const entry = find(key);
      if (entry !== undefined) {
        metrics.increment(requests, hit);
        return entry;
      }
      metrics.increment(requests, miss);
      return underWay.get(key) ?? start(key, decide);
    },
    get size() {
      return entries.size;
    },
  };
};

const requests = 'authentication_token_cache_request_total';
const fetches = 'authentication_token_cache_fetch_total';
const succeeded = { status: 'ok' };
const failed = { status: 'error' };
const hit = { status: 'hit' };
const miss = { status: 'miss' };

/** The token stands behind it, last, so that it needs no length. */
const lengthPrefixed = (audiences: readonly string[]): string => {
  let text = `${audiences.length};`;
  for (const audience of audiences) text += `${audience.length}:${audience}`;
  return text;
};

/** Drops the oldest that was not asked for lately; one that was goes to the end of the line. */
const evict = (entries: Map<string, Entry>, now: number): void => {
  for (const [key, entry] of entries) {
    entries.delete(key);
    if (!entry.used || entry.endsAt <= now) return;
    entry.used = false;
    entries.set(key, entry);
  }
};
