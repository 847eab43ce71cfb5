/** The fields of a TokenReview. */
import {
  struct,
  type TypedStruct,
  text,
  textList,
} from '../../documents/kubeconfig/typed-shape.ts';
import { objectMeta } from '../../resources/shape.ts';
import type { WebhookVersion } from './node.ts';

/** The versions differ in what messages call their types. */
export const tokenReviewShape = (version: WebhookVersion): TypedStruct => shapes[version];

const shapeOf = (version: WebhookVersion): TypedStruct =>
  struct(
    'TokenReview',
    `${version}.TokenReview`,
    ['kind', text],
    ['apiVersion', text],
    ['metadata', objectMeta],
    [
      'spec',
      struct(
        'TokenReviewSpec',
        `${version}.TokenReviewSpec`,
        ['token', text],
        ['audiences', textList],
      ),
    ],
    [
      'status',
      struct(
        'TokenReviewStatus',
        `${version}.TokenReviewStatus`,
        ['authenticated', { kind: 'bool' }],
        [
          'user',
          struct(
            'UserInfo',
            `${version}.UserInfo`,
            ['username', text],
            ['uid', text],
            ['groups', textList],
            [
              'extra',
              {
                kind: 'map',
                goType: `map[string]${version}.ExtraValue`,
                value: { kind: 'list', goType: `${version}.ExtraValue`, item: text },
              },
            ],
          ),
        ],
        ['audiences', textList],
        ['error', text],
      ),
    ],
  );

const shapes = { v1: shapeOf('v1'), v1beta1: shapeOf('v1beta1') } as const;

/** An error as API servers answer it. */
export const statusShape: TypedStruct = struct(
  'Status',
  'v1.Status',
  ['kind', text],
  ['apiVersion', text],
  ['status', text],
  ['message', text],
  ['reason', { kind: 'string', goType: 'v1.StatusReason' }],
  [
    'details',
    struct('StatusDetails', 'v1.StatusDetails', ['retryAfterSeconds', { kind: 'int32' }]),
  ],
  ['code', { kind: 'int32' }],
);

/** Of anything else only the metadata is looked at. */
export const otherShape: TypedStruct = struct(
  'Object',
  'v1.Object',
  ['kind', text],
  ['apiVersion', text],
  ['metadata', objectMeta],
);
