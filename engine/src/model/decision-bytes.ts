/** Estimates of the memory that cached decisions use, and the limits of their caches. */
import type { Decision } from './decision.ts';
import { defaultCacheBytes, defaultPendingTokenBytes } from './limits.ts';
import type { UserInfo } from './user-info.ts';

/** Limits of one cache of decisions, in bytes. */
export interface CacheLimits {
  /** All cached decisions together. */
  readonly cacheBytes: number;
  /** All tokens that wait for an issuer or a webhook together. */
  readonly pendingTokenBytes: number;
}

/** The limits of a program that does not derive them from its memory. */
export const defaultCacheLimits: CacheLimits = {
  cacheBytes: defaultCacheBytes,
  pendingTokenBytes: defaultPendingTokenBytes,
};

export const noCacheLimits: CacheLimits = {
  cacheBytes: Number.POSITIVE_INFINITY,
  pendingTokenBytes: Number.POSITIVE_INFINITY,
};

/**
 * Returns the memory of a waiting token: its objects, the token, the body of a request and its
 * bytes, measured and rounded up. A client that uses more than others also needs seven times as
 * much free memory, so that a few large tokens cannot displace ordinary ones.
 */
export const pendingTokenSize = (
  tokenLength: number,
): { readonly weight: number; readonly reserve: number } => {
  const weight = 12 * 1024 + 3 * tokenLength;
  return { weight, reserve: 7 * weight };
};

/** A map entry with its key and the objects of a decision. */
const entrySize = 512;
/** A string without its characters, and its slot in a list. */
const stringOverhead = 32;

/** Estimates the size of a decision; the estimate is rather too high. */
export const decisionBytes = (decision: Decision): number => {
  if (decision.kind === 'noOpinion') return entrySize;
  if (decision.kind === 'rejected') return entrySize + stringBytes(decision.reason.message);
  return entrySize + userBytes(decision.user) + listBytes(decision.audiences);
};

/** Estimates the size of the strings of an identity. */
const userBytes = ({ username, uid, groups, extra }: UserInfo): number => {
  let bytes = stringBytes(username) + stringBytes(uid) + listBytes(groups);
  for (const [key, values] of extra) bytes += stringOverhead + stringBytes(key) + listBytes(values);
  return bytes;
};

const listBytes = (items: readonly string[]): number =>
  items.reduce((sum, item) => sum + stringBytes(item), 0);

/** V8 stores two bytes per character if any character is outside Latin-1. */
const stringBytes = (text: string): number => stringOverhead + 2 * text.length;
