/**
 * What the constrained modes remember: impersonations that were allowed, for ten seconds, and for each
 * caller the mode that was last good. Denials are never remembered.
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

/** Reading does not lengthen a life. Where it is full the oldest goes. */
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

/** The names that were used longest ago are forgotten. */
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

/** Of any JSON data; the caller's name stays apart, so that no collision reaches another's entry. */
export const impersonationKey = (
  digest: Pick<Digest, 'sha256Hex'>,
  requestor: UserInfo,
  parts: readonly unknown[],
): string =>
  `${digest.sha256Hex(JSON.stringify([userData(requestor), ...parts]))}/${requestor.username}`;

/** An identity as data that JSON can hold, extra values in the order of their keys. */
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
