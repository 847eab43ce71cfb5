/** The shape of the reviews we take. */
import {
  bool,
  objectMeta,
  type StructShape,
  struct,
  text,
  textList,
} from '../../resources/shape.ts';

const userInfo = struct(
  'UserInfo',
  'v1.UserInfo',
  ['username', text],
  ['uid', text],
  ['groups', textList],
  [
    'extra',
    {
      kind: 'map',
      goType: 'map[string]v1.ExtraValue',
      value: { kind: 'list', goType: 'v1.ExtraValue', item: text },
    },
  ],
);

/** SelfSubjectReview of version v1. */
export const selfSubjectReviewShape: StructShape = struct(
  'SelfSubjectReview',
  'v1.SelfSubjectReview',
  ['kind', text],
  ['apiVersion', text],
  ['metadata', objectMeta],
  [
    'status',
    struct('SelfSubjectReviewStatus', 'v1.SelfSubjectReviewStatus', ['userInfo', userInfo]),
  ],
);

/** TokenReview of version v1. */
export const tokenReviewShape: StructShape = struct(
  'TokenReview',
  'v1.TokenReview',
  ['kind', text],
  ['apiVersion', text],
  ['metadata', objectMeta],
  [
    'spec',
    struct('TokenReviewSpec', 'v1.TokenReviewSpec', ['token', text], ['audiences', textList]),
  ],
  [
    'status',
    struct(
      'TokenReviewStatus',
      'v1.TokenReviewStatus',
      ['authenticated', bool],
      ['user', userInfo],
      ['audiences', textList],
      ['error', text],
    ),
  ],
);
