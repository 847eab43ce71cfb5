/** Shapes that all API objects have: their metadata, and the object itself. */
import {
  bool,
  type FieldOptions,
  int64,
  raw,
  type Shape,
  type StructShape,
  string,
  stringList,
  stringMap,
  struct,
  time,
  uid,
} from '../formats/go-struct/shape.ts';

const ownerReference = struct(
  'v1.OwnerReference',
  ['apiVersion', string, { number: 5, written: 'always' }],
  ['kind', string, { number: 1, written: 'always' }],
  ['name', string, { number: 3, written: 'always' }],
  ['uid', uid, { number: 4, written: 'always' }],
  ['controller', bool, { number: 6, written: 'when-set' }],
  ['blockOwnerDeletion', bool, { number: 7, written: 'when-set' }],
);

const managedFieldsEntry = struct(
  'v1.ManagedFieldsEntry',
  ['manager', string],
  ['operation', { kind: 'string', goType: 'v1.ManagedFieldsOperationType' }],
  ['apiVersion', string],
  ['time', time],
  ['fieldsType', string],
  ['fieldsV1', raw, { written: 'when-set' }],
  ['subresource', string],
);

/** The metadata of every object. */
export const objectMeta = struct(
  'v1.ObjectMeta',
  ['name', string, { number: 1 }],
  ['generateName', string, { number: 2 }],
  ['namespace', string, { number: 3 }],
  ['selfLink', string, { number: 4 }],
  ['uid', uid, { number: 5 }],
  ['resourceVersion', string, { number: 6 }],
  ['generation', int64, { number: 7 }],
  ['creationTimestamp', time, { number: 8 }],
  ['deletionTimestamp', time, { number: 9 }],
  ['deletionGracePeriodSeconds', int64, { number: 10, written: 'when-set' }],
  ['labels', stringMap, { number: 11 }],
  ['annotations', stringMap, { number: 12 }],
  [
    'ownerReferences',
    { kind: 'list', goType: '[]v1.OwnerReference', item: ownerReference },
    { number: 13, mergeKey: 'uid', ownership: { key: 'uid', atomic: true } },
  ],
  ['finalizers', stringList, { number: 14, mergeKey: 'value', ownership: 'set' }],
  [
    'managedFields',
    { kind: 'list', goType: '[]v1.ManagedFieldsEntry', item: managedFieldsEntry },
    { ownership: 'atomic' },
  ],
);

/** Returns the shape of an API object: type, metadata, and its own fields. */
export const objectShape = (
  kind: string,
  ...fields: readonly (readonly [name: string, shape: Shape, facts?: FieldOptions])[]
): StructShape =>
  struct(
    `v1.${kind}`,
    ['kind', string],
    ['apiVersion', string],
    ['metadata', objectMeta, { number: 1, written: 'always' }],
    ...fields,
  );
