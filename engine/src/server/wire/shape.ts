/** The shape of the reviews we take. */
import {
  bool,
  int64,
  objectMeta,
  type StructShape,
  struct,
  text,
  textList,
  uid,
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

/** What a deletion may be told in its body. */
export const deleteOptionsShape: StructShape = struct(
  'DeleteOptions',
  'v1.DeleteOptions',
  ['kind', text],
  ['apiVersion', text],
  ['gracePeriodSeconds', int64],
  [
    'preconditions',
    struct('Preconditions', 'v1.Preconditions', ['uid', uid], ['resourceVersion', text]),
  ],
  ['orphanDependents', bool],
  ['propagationPolicy', { kind: 'string', goType: 'v1.DeletionPropagation' }],
  ['dryRun', textList],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', bool],
);
