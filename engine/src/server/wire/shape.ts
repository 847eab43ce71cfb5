/** The shapes of reviews and of deletion options. */
import {
  bool,
  int64,
  objectMeta,
  type StructShape,
  string,
  stringList,
  struct,
  uid,
} from '../../resources/shape.ts';

const userInfo = struct(
  'UserInfo',
  'v1.UserInfo',
  ['username', string],
  ['uid', string],
  ['groups', stringList],
  [
    'extra',
    {
      kind: 'map',
      goType: 'map[string]v1.ExtraValue',
      value: { kind: 'list', goType: 'v1.ExtraValue', item: string },
    },
  ],
);

/** The shape of a SelfSubjectReview of version v1. */
export const selfSubjectReviewShape: StructShape = struct(
  'SelfSubjectReview',
  'v1.SelfSubjectReview',
  ['kind', string],
  ['apiVersion', string],
  ['metadata', objectMeta],
  [
    'status',
    struct('SelfSubjectReviewStatus', 'v1.SelfSubjectReviewStatus', ['userInfo', userInfo]),
  ],
);

/** The shape of a TokenReview of version v1. */
export const tokenReviewShape: StructShape = struct(
  'TokenReview',
  'v1.TokenReview',
  ['kind', string],
  ['apiVersion', string],
  ['metadata', objectMeta],
  [
    'spec',
    struct('TokenReviewSpec', 'v1.TokenReviewSpec', ['token', string], ['audiences', stringList]),
  ],
  [
    'status',
    struct(
      'TokenReviewStatus',
      'v1.TokenReviewStatus',
      ['authenticated', bool],
      ['user', userInfo],
      ['audiences', stringList],
      ['error', string],
    ),
  ],
);

/** The shape of the options in the body of a deletion. */
export const deleteOptionsShape: StructShape = struct(
  'DeleteOptions',
  'v1.DeleteOptions',
  ['kind', string],
  ['apiVersion', string],
  ['gracePeriodSeconds', int64],
  [
    'preconditions',
    struct('Preconditions', 'v1.Preconditions', ['uid', uid], ['resourceVersion', string]),
  ],
  ['orphanDependents', bool],
  ['propagationPolicy', { kind: 'string', goType: 'v1.DeletionPropagation' }],
  ['dryRun', stringList],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', bool],
);
