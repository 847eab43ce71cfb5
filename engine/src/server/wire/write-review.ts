/** Reviews as objects on their way out, fields in the order of the real server's structs. */

import {
  type Output,
  type OutputMap,
  outputMap,
  sortedMap,
  unlessEmpty,
} from '../../formats/output.ts';
import type { TokenReviewStatus } from '../../model/reviews.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { compactJson, writtenOften } from './write-json.ts';

/** What is the same in every review: kind and version of the request's group. */
export interface ReviewHead {
  readonly kind: string;
  readonly apiVersion: string;
}

/** `createdAt`: milliseconds since 1970; printed in whole seconds. */
export const selfSubjectReviewObject = (
  head: ReviewHead,
  { createdAt, user }: { readonly createdAt: number; readonly user: UserInfo },
): OutputMap =>
  outputMap(
    ['kind', head.kind],
    ['apiVersion', head.apiVersion],
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

export const tokenReviewObject = (head: ReviewHead, review: TokenReviewParts): OutputMap =>
  outputMap(
    ['kind', head.kind],
    ['apiVersion', head.apiVersion],
    ['metadata', review.metadata],
    [
      'spec',
      outputMap(['token', unlessEmpty(review.token)], ['audiences', unlessEmpty(review.audiences)]),
    ],
    ['status', review.status],
  );

/**
 * The same as compact JSON, put together of bytes that are there: `tokenBytes` are those of the request,
 * where every character of the token stands for itself; metadata and status are written often.
 */
export const tokenReviewBytes = (
  head: ReviewHead,
  review: TokenReviewParts,
  tokenBytes: Uint8Array,
): Uint8Array => {
  const { metadata, audiences, status } = review;
  const lead = bytesOnce(metadata, leads, (text) => {
    const { kind, apiVersion } = head;
    return `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${text},"spec":{"token":"`;
  });
  const end = bytesOnce(status, ends, (text) => `},"status":${text}}\n`);
  const middle =
    audiences.length === 0 ? quoteMark : Buffer.from(`","audiences":${compactJson(audiences)}`);
  return Buffer.concat([lead, tokenBytes, middle, end]);
};

type KnownBytes = WeakMap<OutputMap, Uint8Array>;

/** Metadata is made for one kind and version. */
const leads: KnownBytes = new WeakMap();
const ends: KnownBytes = new WeakMap();
const quoteMark = Buffer.from('"');

const bytesOnce = (
  map: OutputMap,
  known: KnownBytes,
  around: (text: string) => string,
): Uint8Array => {
  const before = known.get(map);
  if (before !== undefined) return before;
  const bytes = Buffer.from(around(compactJson(map)));
  known.set(map, bytes);
  return bytes;
};

/** What a TokenReview says of its token. */
export const reviewStatus = (status: TokenReviewStatus): OutputMap =>
  outputMap(
    ['authenticated', status.authenticated ? true : undefined],
    ['user', status.user === undefined ? outputMap() : userInfoObject(status.user)],
    ['audiences', unlessEmpty(status.audiences)],
    ['error', unlessEmpty(status.error)],
  );

/** A user as every review writes it. */
export const userInfoObject = (user: UserInfo): OutputMap => {
  const known = userObjects.get(user);
  if (known !== undefined) return known;
  const made = writtenOften(
    outputMap(
      ['username', unlessEmpty(user.username)],
      ['uid', unlessEmpty(user.uid)],
      ['groups', unlessEmpty(user.groups)],
      ['extra', unlessEmpty(sortedMap<Output>(user.extra))],
    ),
  );
  userObjects.set(user, made);
  return made;
};

/** Identities come from caches: most are written more than once. */
const userObjects = new WeakMap<UserInfo, OutputMap>();

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
