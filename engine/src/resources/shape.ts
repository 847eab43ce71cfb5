/**
 * The shape of API objects, as data: which fields there are, in which order and of which type, how
 * the real server names struct and type when a value does not fit, and what merging, ownership and
 * the protobuf form need to know of a field.
 */

/** What a value may be. */
export type Shape =
  /** `goType` is the type as messages name it. */
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int64' }
  /** Base64 text. */
  | { readonly kind: 'bytes' }
  /** RFC 3339 text or null. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: Shape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: Shape }
  | StructShape
  /** Anything; kept as it came. `isRead`: it has to be data that the decoder knows itself. */
  | { readonly kind: 'raw'; readonly isRead?: true };

/** A struct: its fields by name, and in their order. */
export interface StructShape {
  readonly kind: 'struct';
  /** `ObjectMeta`: the struct in `Go struct field ObjectMeta.metadata.name`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, Shape>;
  readonly rows: readonly FieldRow[];
}

/** What is to be known of a field beside its type. */
export interface FieldOptions {
  /** Number in the protobuf form. */
  readonly number?: number;
  /** `always`: written though empty; `given`: written when it was given, whatever it is. */
  readonly written?: 'always' | 'when-set';
  /** Strategic merge: items are one when this member is equal; `value` for lists of texts. */
  readonly mergeKey?: string;
  /** Field managers own the field as a whole, its texts, or its items by a member. */
  readonly ownership?: 'atomic' | 'set' | KeyedItems;
}

/** `whole`: an item is owned as one, not member by member. */
export interface KeyedItems {
  readonly key: string;
  readonly atomic?: true;
}

/** A field of a struct. */
export interface FieldRow extends FieldOptions {
  readonly name: string;
  readonly shape: Shape;
}

/** A text. */
export const string: Shape = { kind: 'string', goType: 'string' };
/** A truth value. */
export const bool: Shape = { kind: 'bool' };
/** A whole number of 64 bits. */
export const int64: Shape = { kind: 'int64' };
/** A moment. */
export const time: Shape = { kind: 'time' };
/** Anything. */
export const raw: Shape = { kind: 'raw' };
/** Anything that is read. */
export const any: Shape = { kind: 'raw', isRead: true };
/** A list of texts. */
export const stringList: Shape = { kind: 'list', goType: '[]string', item: string };
/** Texts by name. */
export const stringMap: Shape = { kind: 'map', goType: 'map[string]string', value: string };
/** The UID of an object. */
export const uid: Shape = { kind: 'string', goType: 'types.UID' };

/** A struct from its fields in the order of the real server's struct. */
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

/** Metadata of every object. */
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

/** An object of the API: type, metadata, and its own fields. */
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
