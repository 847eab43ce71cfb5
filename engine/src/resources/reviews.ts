/** The shapes of reviews and TokenRequests. Versions differ only in Go's type names in messages. */
import type { Fields } from '../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../formats/go-struct/fields.ts';
import {
  bool,
  int64,
  list,
  map,
  type StructShape,
  string,
  stringList,
  struct,
  time,
  uid,
} from '../formats/go-struct/shape.ts';
import type { UserInfo } from '../model/user-info.ts';
import { objectMeta } from './shape.ts';

type ReviewFields = Parameters<typeof struct> extends [string, ...infer Fields] ? Fields : never;

/** Returns a review, whose metadata has a protobuf form of its own. */
const review = (kind: string, version: string, ...fields: ReviewFields): StructShape =>
  struct(
    `${version}.${kind}`,
    ['kind', string],
    ['apiVersion', string],
    ['metadata', objectMeta],
    ...fields,
  );

const userInfo = (version: string): StructShape =>
  struct(
    `${version}.UserInfo`,
    ['username', string, { number: 1 }],
    ['uid', string, { number: 2 }],
    ['groups', stringList, { number: 3 }],
    [
      'extra',
      map(`map[string]${version}.ExtraValue`, list(`${version}.ExtraValue`, string)),
      { number: 4 },
    ],
  );

const tokenReview = (version: string): StructShape =>
  review(
    'TokenReview',
    version,
    [
      'spec',
      struct(
        `${version}.TokenReviewSpec`,
        ['token', string, { number: 1 }],
        ['audiences', stringList, { number: 2 }],
      ),
      { number: 2 },
    ],
    [
      'status',
      struct(
        `${version}.TokenReviewStatus`,
        ['authenticated', bool, { number: 1 }],
        ['user', userInfo(version), { number: 2 }],
        ['audiences', stringList, { number: 4 }],
        ['error', string, { number: 3 }],
      ),
      { number: 3 },
    ],
  );

/** TokenReviews by version. */
export const tokenReviewShapes = {
  v1: tokenReview('v1'),
  v1beta1: tokenReview('v1beta1'),
} as const;

/** A SelfSubjectReview of version v1. */
export const selfSubjectReviewShape = review('SelfSubjectReview', 'v1', [
  'status',
  struct('v1.SelfSubjectReviewStatus', ['userInfo', userInfo('v1'), { number: 1 }]),
  { number: 2 },
]);

const boundObjectReference = struct(
  'v1.BoundObjectReference',
  ['kind', string, { number: 1 }],
  ['apiVersion', string, { number: 2 }],
  ['name', string, { number: 3 }],
  ['uid', uid, { number: 4 }],
);

/** A TokenRequest. */
export const tokenRequestShape = review(
  'TokenRequest',
  'v1',
  [
    'spec',
    struct(
      'v1.TokenRequestSpec',
      ['audiences', stringList, { number: 1 }],
      ['expirationSeconds', int64, { number: 4, written: 'when-set' }],
      ['boundObjectRef', boundObjectReference, { number: 3, written: 'when-set' }],
    ),
    { number: 2 },
  ],
  [
    'status',
    struct(
      'v1.TokenRequestStatus',
      ['token', string, { number: 1 }],
      ['expirationTimestamp', time, { number: 2 }],
    ),
    { number: 3 },
  ],
);

/** Returns the user in the status of a decoded review. */
export const userOfReview = (status: Fields): UserInfo => {
  const user = mapField(status, 'user');
  const extra = mapField(user, 'extra');
  return {
    username: stringField(user, 'username'),
    uid: stringField(user, 'uid'),
    groups: stringListField(user, 'groups'),
    extra: new Map(Array.from(extra.keys(), (key) => [key, stringListField(extra, key)])),
  };
};
