/** Reviews as objects on their way out, fields in the order of the real server's structs. */

import {
  type OutputValue,
  type OutputMap,
  outputMap,
  sortedMap,
  omitEmpty,
} from '../../formats/output-value.ts';
import type { TokenReviewStatus } from '../../model/reviews.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { compactJson, cacheCompactJson } from './write-json.ts';

/** What is the same in every review: kind and version of the request's group. */
export interface ReviewTypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** `createdAt`: milliseconds since 1970; printed in whole seconds. */
export const selfSubjectReviewObject = (
  typeMeta: ReviewTypeMeta,
  { createdAt, user }: { readonly createdAt: number; readonly user: UserInfo },
): OutputMap =>
  outputMap(
    ['kind', typeMeta.kind],
    ['apiVersion', typeMeta.apiVersion],
    ['metadata', outputMap(['creationTimestamp', rfc3339(createdAt)])],
    ['status', outputMap(['userInfo', userInfoObject(user)])],
  );

export interface TokenReviewParts {
  readonly metadata: OutputMap;
  /** The token goes back to who sent it, as the real server does. */
  readonly token: string;
  readonly audiences: readonly string[];
  /** As `reviewStatus` makes it. */
  readonly status: OutputMap;
}

export const tokenReviewObject = (typeMeta: ReviewTypeMeta, review: TokenReviewParts): OutputMap =>
  outputMap(
    ['kind', typeMeta.kind],
    ['apiVersion', typeMeta.apiVersion],
    ['metadata', review.metadata],
    [
      'spec',
      outputMap(['token', omitEmpty(review.token)], ['audiences', omitEmpty(review.audiences)]),
    ],
    ['status', review.status],
  );

/**
 * The same as compact JSON, put together of bytes that are there: `tokenBytes` are those of the request,
 * where every character of the token stands for itself; metadata and status are written often.
 */
export const tokenReviewBytes = (
  typeMeta: ReviewTypeMeta,
  review: TokenReviewParts,
  tokenBytes: Uint8Array,
): Uint8Array => {
  const { metadata, audiences, status } = review;
  const lead = cachedBytes(metadata, prefixes, (text) => {
    const { kind, apiVersion } = typeMeta;
    return `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${text},"spec":{"token":"`;
  });
  const end = cachedBytes(status, suffixes, (text) => `},"status":${text}}\n`);
  const middle =
    audiences.length === 0 ? quoteMark : Buffer.from(`","audiences":${compactJson(audiences)}`);
  return Buffer.concat([lead, tokenBytes, middle, end]);
};

type BytesCache = WeakMap<OutputMap, Uint8Array>;

/** Metadata is made for one kind and version. */
const prefixes: BytesCache = new WeakMap();
const suffixes: BytesCache = new WeakMap();
const quoteMark = Buffer.from('"');

const cachedBytes = (
  map: OutputMap,
  cache: BytesCache,
  wrap: (text: string) => string,
): Uint8Array => {
  const cached = cache.get(map);
  if (cached !== undefined) return cached;
  const bytes = Buffer.from(wrap(compactJson(map)));
  cache.set(map, bytes);
  return bytes;
};

/** What a TokenReview says of its token. */
export const reviewStatus = (status: TokenReviewStatus): OutputMap =>
  outputMap(
    ['authenticated', status.authenticated ? true : undefined],
    ['user', status.user === undefined ? outputMap() : userInfoObject(status.user)],
    ['audiences', omitEmpty(status.audiences)],
    ['error', omitEmpty(status.error)],
  );

/** A user as every review writes it. */
export const userInfoObject = (user: UserInfo): OutputMap => {
  const cached = cachedUserInfo.get(user);
  if (cached !== undefined) return cached;
  const object = cacheCompactJson(
    outputMap(
      ['username', omitEmpty(user.username)],
      ['uid', omitEmpty(user.uid)],
      ['groups', omitEmpty(user.groups)],
      ['extra', omitEmpty(sortedMap<OutputValue>(user.extra))],
    ),
  );
  cachedUserInfo.set(user, object);
  return object;
};

/** Identities come from caches: most are written more than once. */
const cachedUserInfo = new WeakMap<UserInfo, OutputMap>();

/** `2026-11-21T13:48:23Z` */
export const rfc3339 = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds !== lastSecond) {
    lastText = new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
    lastSecond = seconds;
  }
  return lastText;
};

/** Of the last answer; the next one mostly comes in the same second. */
let lastSecond = Number.NaN;
let lastText = '';
