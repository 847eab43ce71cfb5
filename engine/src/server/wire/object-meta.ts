/**
 * Metadata of an object that is returned without being stored: what the client sent, without the
 * fields that only a server may set, and with an entry in managedFields.
 */

import type { DecodedValue } from '../../formats/go-struct/decode.ts';
import {
  type OutputMap,
  type OutputValue,
  outputMap,
  sortedMap,
} from '../../formats/output-value.ts';
import { memoizedStrings } from '../limits.ts';
import { rfc3339 } from './write-review.ts';

/** Fields in the order of kube-apiserver's struct; system fields and the namespace are omitted. */
const echoedFields = [
  'name',
  'generateName',
  'resourceVersion',
  'generation',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];

export interface ManagedFieldsOptions {
  readonly apiVersion: string;
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The subresource of a stored object: `token`. */
  readonly subresource?: string;
}

/** Returns the metadata of the response to an object that the client sent. */
export const echoedMetadata = (
  object: ReadonlyMap<string, DecodedValue>,
  managed: ManagedFieldsOptions,
): OutputMap => {
  const metadata = membersOf(object.get('metadata'));
  return outputMap(
    ...echoedFields.map((name): [string, OutputValue | undefined] => [
      name,
      outputOf(metadata.get(name)),
    ]),
    ['managedFields', [managedEntry(object, managed)]],
  );
};

/**
 * Returns the metadata for a TokenReview that contains nothing but a token and optional audiences.
 */
export const tokenReviewMetadata = (
  managed: ManagedFieldsOptions,
  hasAudiences: boolean,
): OutputMap => {
  const { apiVersion, manager, now } = managed;
  const second = rfc3339(now);
  const cached = cachedMetadata.get(manager);
  const isSame = cached?.apiVersion === apiVersion && cached.hasAudiences === hasAudiences;
  if (isSame && cached.second === second) return cached.metadata;
  const spec = new Map<string, DecodedValue>([['token', 'set']]);
  if (hasAudiences) spec.set('audiences', ['set']);
  const metadata = echoedMetadata(new Map([['spec', spec]]), managed);
  if (cachedMetadata.size >= memoizedStrings.count) cachedMetadata.clear();
  cachedMetadata.set(manager, { apiVersion, hasAudiences, second, metadata });
  return metadata;
};

/** The latest metadata of a manager; valid for a second. */
const cachedMetadata = new Map<
  string,
  {
    readonly apiVersion: string;
    readonly hasAudiences: boolean;
    readonly second: string;
    readonly metadata: OutputMap;
  }
>();

/** Metadata that only a server may set. */
export interface SystemMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Returns the metadata of an object that is created as a subresource: all fields that the client
 * sent are retained.
 */
export const subresourceMetadata = (
  object: ReadonlyMap<string, DecodedValue>,
  managed: ManagedFieldsOptions,
  system: SystemMetadata,
): OutputMap => {
  const metadata = membersOf(object.get('metadata'));
  const written = (name: string): [string, OutputValue | undefined] => [
    name,
    outputOf(metadata.get(name)),
  ];
  return outputMap(
    ['name', system.name],
    written('generateName'),
    ['namespace', system.namespace],
    written('selfLink'),
    ['uid', system.uid],
    written('resourceVersion'),
    written('generation'),
    ['creationTimestamp', rfc3339(system.createdAt)],
    written('deletionTimestamp'),
    written('deletionGracePeriodSeconds'),
    written('labels'),
    written('annotations'),
    written('ownerReferences'),
    written('finalizers'),
    ['managedFields', [managedEntry(object, managed)]],
  );
};

const managedEntry = (
  object: ReadonlyMap<string, DecodedValue>,
  managed: ManagedFieldsOptions,
): OutputMap =>
  outputMap(
    ['manager', managed.manager === '' ? 'unknown' : managed.manager],
    ['operation', 'Update'],
    ['apiVersion', managed.apiVersion],
    ['time', rfc3339(managed.now)],
    ['fieldsType', 'FieldsV1'],
    [
      'fieldsV1',
      setFields(
        object,
        managed.subresource === undefined ? topLevelOwnership : subresourceOwnership,
      ),
    ],
    ['subresource', managed.subresource],
  );

const membersOf = (field: DecodedValue | undefined): ReadonlyMap<string, DecodedValue> =>
  field instanceof Map ? field : new Map();

/** Fields that have no manager. */
const unmanagedFields = [
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.selfLink',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.managedFields',
];

/** Exceptions from the ownership of fields. */
interface Ownership {
  readonly unmanaged: ReadonlySet<string>;
  /** Lists that kube-apiserver also writes if they are empty. */
  readonly emptyLists: ReadonlySet<string>;
}

/** Ownership of an object that is not a subresource: some of its metadata was removed before. */
const topLevelOwnership: Ownership = {
  unmanaged: new Set([
    ...unmanagedFields,
    'metadata.deletionTimestamp',
    'metadata.deletionGracePeriodSeconds',
  ]),
  emptyLists: new Set(),
};

const subresourceOwnership: Ownership = {
  unmanaged: new Set(unmanagedFields),
  emptyLists: new Set(['spec.audiences']),
};

/** Maps whose members are managed individually; the map itself is then the member `.`. */
const openMaps = new Set(['metadata.labels', 'metadata.annotations', 'status.user.extra']);

/** Returns the fields that the client set, as in `{"f:spec":{"f:token":{}}}`. */
const setFields = (object: ReadonlyMap<string, DecodedValue>, ownership: Ownership): OutputMap =>
  fieldSet(object, '', ownership);

const fieldSet = (
  members: ReadonlyMap<string, DecodedValue>,
  path: string,
  ownership: Ownership,
): OutputMap => {
  const entries: [string, OutputMap][] = openMaps.has(path) ? [['.', outputMap()]] : [];
  for (const [name, value] of members) {
    const place = path === '' ? name : `${path}.${name}`;
    const set = ownership.unmanaged.has(place) ? undefined : ownedBelow(value, place, ownership);
    if (set !== undefined) entries.push([`f:${name}`, set]);
  }
  return sortedMap(entries);
};

/** Returns `undefined` for a field that counts as absent. */
const ownedBelow = (
  value: DecodedValue,
  place: string,
  ownership: Ownership,
): OutputMap | undefined => {
  if (value instanceof Map) {
    const set = fieldSet(value, place, ownership);
    return value.size === 0 || set.size === 0 ? undefined : set;
  }
  if (!Array.isArray(value)) return outputOf(value) === undefined ? undefined : outputMap();
  if (value.length === 0) return ownership.emptyLists.has(place) ? outputMap() : undefined;
  if (place !== 'metadata.finalizers' && place !== 'metadata.ownerReferences') return outputMap();
  return sortedMap([['.', outputMap()], ...value.map(itemKey)]);
};

/**
 * Returns the key of a list item: items of a set are identified by their value, owners by their
 * UID.
 */
const itemKey = (item: DecodedValue): [string, OutputMap] => {
  const uid = membersOf(item).get('uid');
  const key =
    typeof item === 'string'
      ? `v:${JSON.stringify(item)}`
      : `k:${JSON.stringify({ uid: uid ?? '' })}`;
  return [key, outputMap()];
};

const outputOf = (field: DecodedValue | undefined): OutputValue | undefined => {
  if (typeof field === 'string') return field === '' ? undefined : field;
  if (typeof field === 'bigint') return field === 0n ? undefined : Number(field);
  if (typeof field === 'boolean') return field;
  if (Array.isArray(field)) {
    return field.length === 0 ? undefined : field.map((item: DecodedValue) => outputOf(item) ?? '');
  }
  if (!(field instanceof Map) || field.size === 0) return undefined;
  return sortedMap(
    Array.from(field, ([name, value]: [string, DecodedValue]): [string, OutputValue] => [
      name,
      outputOf(value) ?? '',
    ]),
  );
};
