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
  /** Fields of the spec that the client set. */
  readonly spec: Readonly<Record<string, boolean>>;
}

/** The metadata of the answer. */
export const keptMetadata = (metadata: ReadonlyMap<string, Field>, managed: ManagedBy): OutputMap =>
  outputMap(
    ...kept.map((name): [string, Output | undefined] => [name, outputOf(metadata.get(name))]),
    ['managedFields', [managedFieldsEntry(metadata, managed)]],
  );

const managedFieldsEntry = (metadata: ReadonlyMap<string, Field>, managed: ManagedBy): OutputMap =>
  outputMap(
    ['manager', managed.manager === '' ? undefined : managed.manager],
    ['operation', 'Update'],
    ['apiVersion', managed.apiVersion],
    ['time', rfc3339(managed.now)],
    ['fieldsType', 'FieldsV1'],
    ['fieldsV1', fieldsOf(metadata, managed)],
  );

const owned = (names: Iterable<string>): OutputMap =>
  sortedMap([...names].map((name): [string, OutputMap] => [`f:${name}`, outputMap()]));

const fieldsOf = (metadata: ReadonlyMap<string, Field>, managed: ManagedBy): OutputMap => {
  const texts = ['annotations', 'labels'].flatMap((name): [string, OutputMap][] => {
    const map = metadata.get(name);
    if (!(map instanceof Map) || map.size === 0) return [];
    return [[`f:${name}`, outputMap(['.', outputMap()], ...owned(map.keys()))]];
  });
  const spec = Object.keys(managed.spec).filter((name) => managed.spec[name] === true);
  return outputMap(
    ['f:metadata', texts.length === 0 ? undefined : new Map(texts)],
    ['f:spec', owned(spec)],
  );
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
