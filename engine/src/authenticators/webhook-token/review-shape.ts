/** The structure of a TokenReview. */
import {
  stringListShape,
  stringShape,
  structShape,
  type TypedStruct,
} from '../../documents/kubeconfig/typed-shape.ts';
import { objectMeta } from '../../resources/shape.ts';
import type { WebhookVersion } from './node.ts';

/**
 * Returns the structure of a version. The versions differ only in the Go type names in messages.
 */
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

/** The structure of a Status, with which API servers report errors. */
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

/** The structure of any other object, of which only the metadata is decoded. */
export const otherShape: TypedStruct = structShape(
  'Object',
  'v1.Object',
  ['kind', stringShape],
  ['apiVersion', stringShape],
  ['metadata', objectMeta],
);
