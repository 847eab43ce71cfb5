/**
 * The shape of the objects we take, as data: which fields there are, of which type, and how the real
 * server names struct and type when a value does not fit.
 */

export type Shape =
  /** `goType` is the type as messages name it. */
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int64' }
  /** RFC 3339 text or null. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: Shape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: Shape }
  | StructShape
  /** Anything; kept as it came. */
  | { readonly kind: 'raw' };

export interface StructShape {
  readonly kind: 'struct';
  /** `ObjectMeta`: the struct in `Go struct field ObjectMeta.metadata.name`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, Shape>;
}

const text: Shape = { kind: 'string', goType: 'string' };
const bool: Shape = { kind: 'bool' };
const int64: Shape = { kind: 'int64' };
const time: Shape = { kind: 'time' };
const textList: Shape = { kind: 'list', goType: '[]string', item: text };
const textMap: Shape = { kind: 'map', goType: 'map[string]string', value: text };
const uid: Shape = { kind: 'string', goType: 'types.UID' };

const struct = (
  name: string,
  goType: string,
  ...fields: readonly (readonly [string, Shape])[]
): StructShape => ({ kind: 'struct', name, goType, fields: new Map(fields) });

const ownerReference = struct(
  'OwnerReference',
  'v1.OwnerReference',
  ['apiVersion', text],
  ['kind', text],
  ['name', text],
  ['uid', uid],
  ['controller', bool],
  ['blockOwnerDeletion', bool],
);

const managedFieldsEntry = struct(
  'ManagedFieldsEntry',
  'v1.ManagedFieldsEntry',
  ['manager', text],
  ['operation', { kind: 'string', goType: 'v1.ManagedFieldsOperationType' }],
  ['apiVersion', text],
  ['time', time],
  ['fieldsType', text],
  ['fieldsV1', { kind: 'raw' }],
  ['subresource', text],
);

const objectMeta = struct(
  'ObjectMeta',
  'v1.ObjectMeta',
  ['name', text],
  ['generateName', text],
  ['namespace', text],
  ['selfLink', text],
  ['uid', uid],
  ['resourceVersion', text],
  ['generation', int64],
  ['creationTimestamp', time],
  ['deletionTimestamp', time],
  ['deletionGracePeriodSeconds', int64],
  ['labels', textMap],
  ['annotations', textMap],
  ['ownerReferences', { kind: 'list', goType: '[]v1.OwnerReference', item: ownerReference }],
  ['finalizers', textList],
  ['managedFields', { kind: 'list', goType: '[]v1.ManagedFieldsEntry', item: managedFieldsEntry }],
);

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
export const selfSubjectReviewShape = struct(
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
export const tokenReviewShape = struct(
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
