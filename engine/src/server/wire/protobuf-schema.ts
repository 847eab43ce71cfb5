/**
 * Protobuf schemas: field numbers of the objects that clients send and receive. Names are those of
 * the JSON form. Schemas of stored objects and reviews are derived from the field numbers in their
 * shapes.
 */
import type { FieldRow, Shape, StructShape } from '../../formats/go-struct/shape.ts';
import {
  selfSubjectReviewShape,
  tokenRequestShape,
  tokenReviewShapes,
} from '../../resources/reviews.ts';

export type ProtoType =
  | 'string'
  | 'bool'
  /** Omitted if it was never set. */
  | 'optionalBool'
  | 'optionalInt64'
  /** Base64 in the JSON form. */
  | 'bytes'
  | 'int32'
  | 'int64'
  | 'strings'
  /** A message with one repeated string. */
  | 'stringsMessage'
  | 'time'
  /** A message with the bytes of JSON; never decoded. */
  | 'json'
  | { readonly kind: 'message'; readonly schema: ProtoSchema; readonly optional?: true }
  | { readonly kind: 'messages'; readonly schema: ProtoSchema }
  | { readonly kind: MapKind };

/** Kinds of maps; the values of a `stringListMap` are messages with one repeated string. */
export type MapKind = 'stringMap' | 'bytesMap' | 'stringListMap';

export interface ProtoField {
  readonly number: number;
  readonly name: string;
  readonly type: ProtoType;
}

export type ProtoSchema = readonly ProtoField[];

const field = (number: number, name: string, type: ProtoType): ProtoField => ({
  number,
  name,
  type,
});

const message = (schema: ProtoSchema): ProtoType => ({ kind: 'message', schema });

const schemas = new WeakMap<StructShape, ProtoSchema>();

/** Returns the schema of a shape; fields without a number have no protobuf form and are omitted. */
export const schemaOfShape = (shape: StructShape): ProtoSchema => {
  const cached = schemas.get(shape);
  if (cached !== undefined) return cached;
  const schema = shape.rows
    .flatMap((row) => fieldOf(row) ?? [])
    .sort((left, right) => left.number - right.number);
  schemas.set(shape, schema);
  return schema;
};

const fieldOf = ({ name, shape, number, written }: FieldRow): ProtoField | undefined => {
  if (number === undefined) return undefined;
  const type = typeOf(shape, written === 'when-set');
  return type === undefined ? undefined : { number, name, type };
};

const typeOf = (shape: Shape, isOptional: boolean): ProtoType | undefined => {
  switch (shape.kind) {
    case 'string':
      return 'string';
    case 'bool':
      return isOptional ? 'optionalBool' : 'bool';
    case 'int64':
      return isOptional ? 'optionalInt64' : 'int64';
    case 'time':
      return 'time';
    case 'bytes':
      return 'bytes';
    case 'struct': {
      const schema = schemaOfShape(shape);
      return isOptional ? { kind: 'message', schema, optional: true } : { kind: 'message', schema };
    }
    case 'list':
      if (shape.item.kind === 'string') return 'strings';
      return shape.item.kind === 'struct'
        ? { kind: 'messages', schema: schemaOfShape(shape.item) }
        : undefined;
    case 'map':
      return { kind: mapKinds.get(shape.value.kind) ?? 'stringMap' };
    default:
      return undefined;
  }
};

const mapKinds: ReadonlyMap<string, MapKind> = new Map([
  ['bytes', 'bytesMap'],
  ['list', 'stringListMap'],
]);

const managedFieldsEntry: ProtoSchema = [
  field(1, 'manager', 'string'),
  field(2, 'operation', 'string'),
  field(3, 'apiVersion', 'string'),
  field(4, 'time', 'time'),
  field(6, 'fieldsType', 'string'),
  field(7, 'fieldsV1', 'json'),
  field(8, 'subresource', 'string'),
];

const objectMeta: ProtoSchema = [
  field(1, 'name', 'string'),
  field(2, 'generateName', 'string'),
  field(3, 'namespace', 'string'),
  field(4, 'selfLink', 'string'),
  field(5, 'uid', 'string'),
  field(6, 'resourceVersion', 'string'),
  field(7, 'generation', 'int64'),
  field(8, 'creationTimestamp', 'time'),
  field(11, 'labels', { kind: 'stringMap' }),
  field(12, 'annotations', { kind: 'stringMap' }),
  field(14, 'finalizers', 'strings'),
  field(17, 'managedFields', { kind: 'messages', schema: managedFieldsEntry }),
];

/** Returns the schema of a review, whose metadata has fewer fields than that of stored objects. */
const reviewSchema = (shape: StructShape): ProtoSchema => [
  field(1, 'metadata', message(objectMeta)),
  ...schemaOfShape(shape),
];

const status: ProtoSchema = [
  field(
    1,
    'metadata',
    message([
      field(1, 'selfLink', 'string'),
      field(2, 'resourceVersion', 'string'),
      field(3, 'continue', 'string'),
    ]),
  ),
  field(2, 'status', 'string'),
  field(3, 'message', 'string'),
  field(4, 'reason', 'string'),
  field(5, 'details', {
    kind: 'message',
    optional: true,
    schema: [
      field(1, 'name', 'string'),
      field(2, 'group', 'string'),
      field(3, 'kind', 'string'),
      field(4, 'causes', {
        kind: 'messages',
        schema: [
          field(1, 'reason', 'string'),
          field(2, 'message', 'string'),
          field(3, 'field', 'string'),
        ],
      }),
      field(5, 'retryAfterSeconds', 'int32'),
      field(6, 'uid', 'string'),
    ],
  }),
  field(6, 'code', 'int32'),
];

const groupVersion: ProtoSchema = [
  field(1, 'groupVersion', 'string'),
  field(2, 'version', 'string'),
];

const serverAddress: ProtoSchema = [
  field(1, 'clientCIDR', 'string'),
  field(2, 'serverAddress', 'string'),
];

const apiGroup: ProtoSchema = [
  field(1, 'name', 'string'),
  field(2, 'versions', { kind: 'messages', schema: groupVersion }),
  field(3, 'preferredVersion', message(groupVersion)),
  field(4, 'serverAddressByClientCIDRs', { kind: 'messages', schema: serverAddress }),
];

const apiGroupList: ProtoSchema = [field(1, 'groups', { kind: 'messages', schema: apiGroup })];

const apiResourceList: ProtoSchema = [
  field(1, 'groupVersion', 'string'),
  field(2, 'resources', {
    kind: 'messages',
    schema: [
      field(1, 'name', 'string'),
      field(2, 'namespaced', 'bool'),
      field(3, 'kind', 'string'),
      field(4, 'verbs', 'stringsMessage'),
      field(6, 'singularName', 'string'),
      field(8, 'group', 'string'),
      field(9, 'version', 'string'),
      field(10, 'storageVersionHash', 'string'),
    ],
  }),
];

const apiVersions: ProtoSchema = [
  field(1, 'versions', 'strings'),
  field(2, 'serverAddressByClientCIDRs', { kind: 'messages', schema: serverAddress }),
];

/** Schemas by kind; other kinds have no protobuf form. */
export const protoSchemas: ReadonlyMap<string, ProtoSchema> = new Map([
  ['SelfSubjectReview', reviewSchema(selfSubjectReviewShape)],
  ['TokenReview', reviewSchema(tokenReviewShapes.v1)],
  ['TokenRequest', reviewSchema(tokenRequestShape)],
  ['Status', status],
  ['APIGroup', apiGroup],
  ['APIGroupList', apiGroupList],
  ['APIResourceList', apiResourceList],
  ['APIVersions', apiVersions],
]);
