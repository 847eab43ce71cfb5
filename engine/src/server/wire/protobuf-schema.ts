/**
 * Protobuf schemas: field numbers of the objects that clients send and receive. Names are those of
 * the JSON form.
 */

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
  | { readonly kind: 'stringMap' }
  | { readonly kind: 'bytesMap' }
  /** A map whose values are messages with one repeated string. */
  | { readonly kind: 'stringListMap' };

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

const userInfo: ProtoSchema = [
  field(1, 'username', 'string'),
  field(2, 'uid', 'string'),
  field(3, 'groups', 'strings'),
  field(4, 'extra', { kind: 'stringListMap' }),
];

const selfSubjectReview: ProtoSchema = [
  field(1, 'metadata', message(objectMeta)),
  field(2, 'status', message([field(1, 'userInfo', message(userInfo))])),
];

const tokenReview: ProtoSchema = [
  field(1, 'metadata', message(objectMeta)),
  field(2, 'spec', message([field(1, 'token', 'string'), field(2, 'audiences', 'strings')])),
  field(
    3,
    'status',
    message([
      field(1, 'authenticated', 'bool'),
      field(2, 'user', message(userInfo)),
      field(3, 'error', 'string'),
      field(4, 'audiences', 'strings'),
    ]),
  ),
];

const tokenRequest: ProtoSchema = [
  field(1, 'metadata', message(objectMeta)),
  field(
    2,
    'spec',
    message([
      field(1, 'audiences', 'strings'),
      field(3, 'boundObjectRef', {
        kind: 'message',
        optional: true,
        schema: [
          field(1, 'kind', 'string'),
          field(2, 'apiVersion', 'string'),
          field(3, 'name', 'string'),
          field(4, 'uid', 'string'),
        ],
      }),
      field(4, 'expirationSeconds', 'int64'),
    ]),
  ),
  field(
    3,
    'status',
    message([field(1, 'token', 'string'), field(2, 'expirationTimestamp', 'time')]),
  ),
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

/** The options in the body of a deletion. */
export const deleteOptionsSchema: ProtoSchema = [
  field(1, 'gracePeriodSeconds', 'optionalInt64'),
  field(2, 'preconditions', {
    kind: 'message',
    optional: true,
    schema: [field(1, 'uid', 'string'), field(2, 'resourceVersion', 'string')],
  }),
  field(3, 'orphanDependents', 'optionalBool'),
  field(4, 'propagationPolicy', 'string'),
  field(5, 'dryRun', 'strings'),
];

/** Schemas by kind; other kinds have no protobuf form. */
export const protoSchemas: ReadonlyMap<string, ProtoSchema> = new Map([
  ['SelfSubjectReview', selfSubjectReview],
  ['TokenReview', tokenReview],
  ['TokenRequest', tokenRequest],
  ['Status', status],
  ['APIGroup', apiGroup],
  ['APIGroupList', apiGroupList],
  ['APIResourceList', apiResourceList],
  ['APIVersions', apiVersions],
]);
