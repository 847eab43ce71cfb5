/**
 * Caches of the constrained modes: allowed impersonations, for ten seconds, and the last successful
 * mode of each caller. Denials are not cached.
 */
import {
  impersonationTtlMs,
  maxCachedImpersonations,
  maxImpersonatorModes,
} from '../model/limits.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Clock } from '../ports/clock.ts';
import type { Digest } from '../ports/digest.ts';

export interface ImpersonationCache {
  get(key: string): UserInfo | undefined;
  set(key: string, user: UserInfo): void;
}

/**
 * Creates a cache. Reading an entry does not extend its lifetime; if the cache is full the oldest
 * entry is evicted.
 */
export const impersonationCache = (clock: Clock): ImpersonationCache => {
  const entries = new Map<string, { readonly user: UserInfo; readonly expiresAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.monotonic() < entry.expiresAt) return entry.user;
      entries.delete(key);
      return undefined;
    },
    set(key, user) {
      entries.delete(key);
      entries.set(key, { user, expiresAt: clock.monotonic() + impersonationTtlMs });
      evictOldest(entries, maxCachedImpersonations);
    },
  };
};

export interface LastSuccessfulModes {
  get(username: string): number | undefined;
  set(username: string, mode: number): void;
}

/** Creates a cache of modes. The least recently used caller is evicted. */
export const lastSuccessfulModes = (): LastSuccessfulModes => {
  const modes = new Map<string, number>();
  const put = (username: string, mode: number) => {
    modes.delete(username);
    modes.set(username, mode);
    evictOldest(modes, maxImpersonatorModes);
  };
  return {
    get(username) {
      const mode = modes.get(username);
      if (mode !== undefined) put(username, mode);
      return mode;
    },
    set: put,
  };
};

/**
 * Returns a cache key. The caller's name is part of it in plain text, so that a collision cannot
 * reach the entry of another caller.
 */
export const impersonationKey = (
  digest: Pick<Digest, 'sha256Hex'>,
  requestor: UserInfo,
  parts: readonly unknown[],
): string =>
  `${digest.sha256Hex(JSON.stringify([userData(requestor), ...parts]))}/${requestor.username}`;

/** Returns an identity as JSON data, with extra values ordered by key. */
export const userData = ({ username, uid, groups, extra }: UserInfo): unknown => [
  username,
  uid,
  groups,
  [...extra].sort(([left], [right]) => (left < right ? -1 : 1)),
];

const evictOldest = (entries: Map<string, unknown>, maxEntries: number): void => {
  for (const key of entries.keys()) {
    if (entries.size <= maxEntries) return;
    entries.delete(key);
  }
};
