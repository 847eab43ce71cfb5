/** Field numbers of the objects that clients send and get as protobuf; names are those of the JSON form. */

export type ProtoType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'strings'
  /** A message with one repeated text. */
  | 'stringsMessage'
  | 'time'
  | { readonly kind: 'message'; readonly schema: ProtoSchema; readonly optional?: true }
  | { readonly kind: 'messages'; readonly schema: ProtoSchema }
  | { readonly kind: 'textMap' }
  /** Values are messages with one repeated text. */
  | { readonly kind: 'textListMap' };

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

const objectMeta: ProtoSchema = [
  field(1, 'name', 'string'),
  field(2, 'generateName', 'string'),
  field(3, 'namespace', 'string'),
  field(4, 'selfLink', 'string'),
  field(5, 'uid', 'string'),
  field(6, 'resourceVersion', 'string'),
  field(7, 'generation', 'int64'),
  field(8, 'creationTimestamp', 'time'),
  field(11, 'labels', { kind: 'textMap' }),
  field(12, 'annotations', { kind: 'textMap' }),
  field(14, 'finalizers', 'strings'),
];

const userInfo: ProtoSchema = [
  field(1, 'username', 'string'),
  field(2, 'uid', 'string'),
  field(3, 'groups', 'strings'),
  field(4, 'extra', { kind: 'textListMap' }),
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

/** By kind; a kind that is not here has no protobuf form. */
export const protoSchemas: ReadonlyMap<string, ProtoSchema> = new Map([
  ['SelfSubjectReview', selfSubjectReview],
  ['TokenReview', tokenReview],
  ['Status', status],
  ['APIGroup', apiGroup],
  ['APIGroupList', apiGroupList],
  ['APIResourceList', apiResourceList],
  ['APIVersions', apiVersions],
]);
