/** The fields of a TokenReview. */
import {
  structShape,
  type TypedStruct,
  stringShape,
  stringListShape,
} from '../../documents/kubeconfig/typed-shape.ts';
import { objectMeta } from '../../resources/shape.ts';
import type { WebhookVersion } from './node.ts';

/** The versions differ in what messages call their types. */
export const tokenReviewShape = (version: WebhookVersion): TypedStruct => shapes[version];

const shapeOf = (version: WebhookVersion): TypedStruct =>
  structShape(
    'TokenReview',
    `${version}.TokenReview`,
    ['kind', stringShape],
    ['apiVersion', stringShape],
    ['metadata', objectMeta],
    [
      'spec',
      structShape(
        'TokenReviewSpec',
        `${version}.TokenReviewSpec`,
        ['token', stringShape],
        ['audiences', stringListShape],
      ),
    ],
    [
      'status',
      structShape(
        'TokenReviewStatus',
        `${version}.TokenReviewStatus`,
        ['authenticated', { kind: 'bool' }],
        [
          'user',
          structShape(
            'UserInfo',
            `${version}.UserInfo`,
            ['username', stringShape],
            ['uid', stringShape],
            ['groups', stringListShape],
            [
              'extra',
              {
                kind: 'map',
                goType: `map[string]${version}.ExtraValue`,
                value: { kind: 'list', goType: `${version}.ExtraValue`, item: stringShape },
              },
            ],
          ),
        ],
        ['audiences', stringListShape],
        ['error', stringShape],
      ),
    ],
  );

const shapes = { v1: shapeOf('v1'), v1beta1: shapeOf('v1beta1') } as const;

/** An error as API servers answer it. */
export const statusShape: TypedStruct = structShape(
  'Status',
  'v1.Status',
  ['kind', stringShape],
  ['apiVersion', stringShape],
  ['status', stringShape],
  ['message', stringShape],
  ['reason', { kind: 'string', goType: 'v1.StatusReason' }],
  [
    'details',
    structShape('StatusDetails', 'v1.StatusDetails', ['retryAfterSeconds', { kind: 'int32' }]),
  ],
  ['code', { kind: 'int32' }],
);

/** Of anything else only the metadata is looked at. */
export const otherShape: TypedStruct = structShape(
  'Object',
  'v1.Object',
  ['kind', stringShape],
  ['apiVersion', stringShape],
  ['metadata', objectMeta],
);
