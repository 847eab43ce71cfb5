/**
 * The shape of API objects as data: their fields with order and type, kube-apiserver's names of
 * structs and types for error messages, and what merging, field ownership and the protobuf encoding
 * need to know about a field.
 */

/** Type of a value. */
export type Shape =
  /** `goType` is the name of the type in messages. */
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int64' }
  /** A string in base64. */
  | { readonly kind: 'bytes' }
  /** A string in RFC 3339, or null. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: Shape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: Shape }
  | StructShape
  /** Any value, stored unchanged. `isRead`: the decoder itself has to understand the data. */
  | { readonly kind: 'raw'; readonly isRead?: true };

/** A struct with its fields by name and in order. */
export interface StructShape {
  readonly kind: 'struct';
  /** Name of the struct in messages: `ObjectMeta` in `Go struct field ObjectMeta.metadata.name`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, Shape>;
  readonly rows: readonly FieldRow[];
}

/** Properties of a field in addition to its type. */
export interface FieldOptions {
  /** Field number in the protobuf encoding. */
  readonly number?: number;
  /**
   * `always`: written even if empty. `when-set`: written if it was set, even to an empty value.
   * Absent: written unless empty.
   */
  readonly written?: 'always' | 'when-set';
  /**
   * Merge key of a strategic merge: items are merged if this member is equal. `value` for lists of
   * strings.
   */
  readonly mergeKey?: string;
  /**
   * What field managers own: the field as a whole (`atomic`), its items by value (`set`), or its
   * items by a key.
   */
  readonly ownership?: 'atomic' | 'set' | KeyedItems;
}

/**
 * Ownership of list items by a key. `atomic`: an item is owned as a whole, not member by member.
 */
export interface KeyedItems {
  readonly key: string;
  readonly atomic?: true;
}

/** A field of a struct. */
export interface FieldRow extends FieldOptions {
  readonly name: string;
  readonly shape: Shape;
}

/** A string. */
export const string: Shape = { kind: 'string', goType: 'string' };
/** A Boolean. */
export const bool: Shape = { kind: 'bool' };
/** A 64-bit integer. */
export const int64: Shape = { kind: 'int64' };
/** A time. */
export const time: Shape = { kind: 'time' };
/** Any value, stored unchanged. */
export const raw: Shape = { kind: 'raw' };
/** Any value that the decoder understands. */
export const any: Shape = { kind: 'raw', isRead: true };
/** A list of strings. */
export const stringList: Shape = { kind: 'list', goType: '[]string', item: string };
/** A map of strings. */
export const stringMap: Shape = { kind: 'map', goType: 'map[string]string', value: string };
/** The UID of an object. */
export const uid: Shape = { kind: 'string', goType: 'types.UID' };

/** Returns a struct with fields in the order of kube-apiserver's struct. */
export const struct = (
  name: string,
  goType: string,
  ...fields: readonly (readonly [name: string, shape: Shape, facts?: FieldOptions])[]
): StructShape => ({
  kind: 'struct',
  name,
  goType,
  fields: new Map(fields.map(([field, shape]) => [field, shape])),
  rows: fields.map(([field, shape, facts]) => ({ name: field, shape, ...facts })),
});

const ownerReference = struct(
  'OwnerReference',
  'v1.OwnerReference',
  ['apiVersion', string, { number: 5, written: 'always' }],
  ['kind', string, { number: 1, written: 'always' }],
  ['name', string, { number: 3, written: 'always' }],
  ['uid', uid, { number: 4, written: 'always' }],
  ['controller', bool, { number: 6, written: 'when-set' }],
  ['blockOwnerDeletion', bool, { number: 7, written: 'when-set' }],
);

const managedFieldsEntry = struct(
  'ManagedFieldsEntry',
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
  'ObjectMeta',
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
    kind,
    `v1.${kind}`,
    ['kind', string],
    ['apiVersion', string],
    ['metadata', objectMeta, { number: 1, written: 'always' }],
    ...fields,
  );
