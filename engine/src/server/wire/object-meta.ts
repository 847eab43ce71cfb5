/**
 * Metadata of an object that is given back but never stored: what the client wrote, without what
 * only a server may say, and with the note of who wrote which fields.
 */
import type { Field } from './decode-object.ts';
import { type Output, type OutputMap, outputMap, sortedMap } from './output.ts';
import { rfc3339 } from './write-review.ts';

/** In the order of the real server's struct; system fields and the namespace are wiped. */
const kept = [
  'name',
  'generateName',
  'resourceVersion',
  'generation',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];

export interface ManagedBy {
  readonly apiVersion: string;
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The metadata of the answer to the object that the client sent. */
export const keptMetadata = (object: ReadonlyMap<string, Field>, managed: ManagedBy): OutputMap => {
  const metadata = membersOf(object.get('metadata'));
  return outputMap(
    ...kept.map((name): [string, Output | undefined] => [name, outputOf(metadata.get(name))]),
    [
      'managedFields',
      [
        outputMap(
          ['manager', managed.manager === '' ? 'unknown' : managed.manager],
          ['operation', 'Update'],
          ['apiVersion', managed.apiVersion],
          ['time', rfc3339(managed.now)],
          ['fieldsType', 'FieldsV1'],
          ['fieldsV1', setFields(object)],
        ),
      ],
    ],
  );
};

const membersOf = (field: Field | undefined): ReadonlyMap<string, Field> =>
  field instanceof Map ? field : new Map();

/** Fields that nobody manages. */
const unmanaged = new Set([
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.selfLink',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.deletionGracePeriodSeconds',
  'metadata.managedFields',
]);

/** Maps whose members are managed one by one; the map itself is then a member, `.`, too. */
const openMaps = new Set(['metadata.labels', 'metadata.annotations', 'status.user.extra']);

/** `{"f:spec":{"f:token":{}}}`: the fields that the client set to something. */
const setFields = (object: ReadonlyMap<string, Field>): OutputMap => fieldSet(object, '');

const fieldSet = (members: ReadonlyMap<string, Field>, path: string): OutputMap => {
  const entries: [string, OutputMap][] = openMaps.has(path) ? [['.', outputMap()]] : [];
  for (const [name, value] of members) {
    const place = path === '' ? name : `${path}.${name}`;
    const set = unmanaged.has(place) ? undefined : ownedBelow(value, place);
    if (set !== undefined) entries.push([`f:${name}`, set]);
  }
  return sortedMap(entries);
};

/** `undefined` for a field that is as good as absent. */
const ownedBelow = (value: Field, place: string): OutputMap | undefined => {
  if (value instanceof Map) {
    const set = fieldSet(value, place);
    return value.size === 0 || set.size === 0 ? undefined : set;
  }
  if (!Array.isArray(value)) return outputOf(value) === undefined ? undefined : outputMap();
  if (value.length === 0) return undefined;
  if (place !== 'metadata.finalizers' && place !== 'metadata.ownerReferences') return outputMap();
  return sortedMap([['.', outputMap()], ...value.map(itemKey)]);
};

/** Items of a set are named by their value, owners by their UID. */
const itemKey = (item: Field): [string, OutputMap] => {
  const uid = membersOf(item).get('uid');
  const key =
    typeof item === 'string'
      ? `v:${JSON.stringify(item)}`
      : `k:${JSON.stringify({ uid: uid ?? '' })}`;
  return [key, outputMap()];
};

const outputOf = (field: Field | undefined): Output | undefined => {
  if (typeof field === 'string') return field === '' ? undefined : field;
  if (typeof field === 'bigint') return field === 0n ? undefined : Number(field);
  if (typeof field === 'boolean') return field;
  if (Array.isArray(field)) {
    return field.length === 0 ? undefined : field.map((item: Field) => outputOf(item) ?? '');
  }
  if (!(field instanceof Map) || field.size === 0) return undefined;
  return sortedMap(
    Array.from(field, ([name, value]: [string, Field]): [string, Output] => [
      name,
      outputOf(value) ?? '',
    ]),
  );
};
