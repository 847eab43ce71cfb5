/** Builds reviews as objects, with fields in the order of kube-apiserver's structs. */

import {
  type OutputMap,
  type OutputValue,
  omitEmpty,
  outputMap,
  sortedMap,
} from '../../formats/output-value.ts';
import type { TokenReviewStatus } from '../../model/reviews.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { cacheCompactJson, compactJson } from './write-json.ts';

/** Kind and apiVersion of the request's group, which are the same in every review. */
export interface ReviewTypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * Builds a SelfSubjectReview; `createdAt` is in milliseconds since 1970 and printed in whole
 * seconds.
 */
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
  /** The token, which the response contains as in kube-apiserver. */
  readonly token: string;
  readonly audiences: readonly string[];
  /** The status that `reviewStatus` returns. */
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
 * Returns the review as compact JSON, concatenated from cached bytes and `tokenBytes`, the bytes of
 * the token in the request, none of which is escaped.
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

/** Prefixes by metadata, which belong to one kind and version. */
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

/** Returns the status of a TokenReview. */
export const reviewStatus = (status: TokenReviewStatus): OutputMap =>
  outputMap(
    ['authenticated', status.authenticated ? true : undefined],
    ['user', status.user === undefined ? outputMap() : userInfoObject(status.user)],
    ['audiences', omitEmpty(status.audiences)],
    ['error', omitEmpty(status.error)],
  );

/** Returns a user as all reviews contain it. */
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

/** Cached, since identities come from caches and most are written more than once. */
const cachedUserInfo = new WeakMap<UserInfo, OutputMap>();

/** Formats a time in whole seconds: `2026-11-21T13:48:23Z`. */
export const rfc3339 = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds !== lastSecond) {
    lastText = new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
    lastSecond = seconds;
  }
  return lastText;
};

/** The second of the latest response, since the next one is usually sent in the same second. */
let lastSecond = Number.NaN;
let lastText = '';
