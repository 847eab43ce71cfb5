/** How much memory a cached decision takes, and how much the caches of decisions may take. */
import type { Decision } from './decision.ts';
import type { UserInfo } from './user-info.ts';

/** Limits of one cache of decisions, in bytes. */
export interface CacheLimits {
  /** Cached decisions, all together. */
  readonly cacheBytes: number;
  /** Tokens whose check waits for an answer of an issuer or a webhook, all together. */
  readonly pendingTokenBytes: number;
}

export const noCacheLimits: CacheLimits = {
  cacheBytes: Number.POSITIVE_INFINITY,
  pendingTokenBytes: Number.POSITIVE_INFINITY,
};

/**
 * The share of the memory that a waiting check takes, measured and rounded up: its objects, the token, the body
 * of a request, and its bytes. Unless its client uses less than others, seven times as much must stay free, so that a few large
 * tokens cannot use up the room of ordinary ones.
 */
export const pendingTokenSize = (
  tokenLength: number,
): { readonly weight: number; readonly reserve: number } => {
  const weight = 12 * 1024 + 3 * tokenLength;
  return { weight, reserve: 7 * weight };
};

/** An entry of a map with its key, and the objects of a decision. */
const entrySize = 512;
/** A string without its characters, and its place in a list. */
const stringOverhead = 32;

/** An estimate that is rather too high. */
export const decisionBytes = (decision: Decision): number => {
  if (decision.kind === 'noOpinion') return entrySize;
  if (decision.kind === 'rejected') return entrySize + stringBytes(decision.reason.message);
  return entrySize + userBytes(decision.user) + listBytes(decision.audiences);
};

/** The strings of an identity. */
const userBytes = ({ username, uid, groups, extra }: UserInfo): number => {
  let bytes = stringBytes(username) + stringBytes(uid) + listBytes(groups);
  for (const [key, values] of extra) bytes += stringOverhead + stringBytes(key) + listBytes(values);
  return bytes;
};

const listBytes = (items: readonly string[]): number =>
  items.reduce((sum, item) => sum + stringBytes(item), 0);

/** V8 stores two bytes for each character once one is beyond Latin-1. */
const stringBytes = (text: string): number => stringOverhead + 2 * text.length;
