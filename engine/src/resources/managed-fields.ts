/**
 * Maintains `metadata.managedFields` like kube-apiserver for everything except server-side apply. A
 * write owns the fields that it changed and removes them from all other managers.
 */

import { htmlEscapeJson } from '../formats/go-json.ts';
import type { FieldRow, KeyedItems, Shape, StructShape } from '../formats/go-struct/shape.ts';
import { sameJson } from '../formats/json-as-maps.ts';
import { byCodePoint } from '../formats/string-order.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { KindRules } from './kind-rules.ts';
import {
  emptyObject,
  isList,
  isObject,
  listOf,
  objectOf,
  objectsAt,
  stringAt,
  withMember,
} from './object-fields.ts';

export interface FieldManager {
  readonly manager: string;
  /** API version of the written object: `v1` or `rbac.authorization.k8s.io/v1`. */
  readonly apiVersion: string;
  /** Time of the write in RFC 3339. */
  readonly time: string;
}

/**
 * Returns the object with updated managed fields for the changes since `live`, which is `undefined`
 * for a new object.
 */
export const withManagedFields = (
  object: JsonObject,
  live: JsonObject | undefined,
  by: FieldManager,
  { shape, resetFields }: Pick<KindRules, 'shape' | 'resetFields'>,
): JsonObject => {
  const entries = readEntries(object, live);
  // Nothing is recorded for an object without managed fields, or with items that lack their key.
  const isUnowned = live !== undefined && entries.length === 0;
  if (isUnowned || [object, live ?? emptyObject].some((one) => hasUnkeyedItem(one, shape))) {
    return withMember(object, ['metadata', 'managedFields'], undefined);
  }
  const changes = compare(live ?? emptyObject, object, shape);
  const ownedFields = stripMeta(changes.written, resetFields);
  const remaining = entries.map((entry) => {
    const without = difference(difference(entry.fields, changes.removed), changes.written);
    return {
      ...entry,
      fields: isOwner(entry, by) ? difference(entry.fields, changes.removed) : without,
    };
  });
  if (hasMembers(ownedFields)) {
    const own = remaining.find((entry) => isOwner(entry, by));
    const fields = own === undefined ? ownedFields : union(own.fields, ownedFields);
    const entry = { ...by, operation: 'Update', subresource: '', fields };
    if (own === undefined) remaining.push(entry);
    else remaining.splice(remaining.indexOf(own), 1, entry);
  }
  const written = remaining
    .filter((entry) => hasMembers(entry.fields))
    .sort(byTime)
    .map(writeEntry);
  return withMember(
    object,
    ['metadata', 'managedFields'],
    written.length === 0 ? undefined : written,
  );
};

/** Returns whether a keyed list contains an item without its key. */
const hasUnkeyedItem = (object: JsonObject, shape: StructShape): boolean =>
  shape.rows.some(({ name, shape: inner, ownership }) => {
    const value = object.get(name);
    if (inner.kind === 'struct') return isObject(value) && hasUnkeyedItem(value, inner);
    if (
      inner.kind !== 'list' ||
      ownership === undefined ||
      ownership === 'atomic' ||
      ownership === 'set'
    ) {
      return false;
    }
    return listOf(value).some((item) => !isObject(item) || !item.has(ownership.key));
  });

interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

interface Entry extends FieldManager {
  readonly operation: string;
  readonly subresource: string;
  readonly fields: FieldSet;
}

const emptySet: FieldSet = { member: false, children: new Map() };
const leafSet: FieldSet = { member: true, children: new Map() };

const isOwner = (entry: Entry, by: FieldManager): boolean =>
  entry.operation === 'Update' &&
  entry.subresource === '' &&
  entry.manager === by.manager &&
  entry.apiVersion === by.apiVersion;

/**
 * Returns the entries that the client sent, or the stored ones if it sent none or invalid ones. A
 * single empty entry removes all entries.
 */
const readEntries = (object: JsonObject, live: JsonObject | undefined): readonly Entry[] => {
  const sent = objectsAt(object, 'metadata', 'managedFields');
  if (sent.length === 1 && [...(sent[0] ?? emptyObject).values()].every((value) => value === '')) {
    return [];
  }
  const stored = live === undefined ? [] : objectsAt(live, 'metadata', 'managedFields');
  const remaining = sent.length > 0 && sent.every(isReadable) ? sent : stored;
  return remaining.map((entry) => {
    const fields = entry.get('fieldsV1');
    return {
      manager: stringAt(entry, 'manager'),
      operation: stringAt(entry, 'operation'),
      apiVersion: stringAt(entry, 'apiVersion'),
      time: stringAt(entry, 'time'),
      subresource: stringAt(entry, 'subresource'),
      fields: isObject(fields) ? { ...readSet(fields), member: false } : emptySet,
    };
  });
};

const isReadable = (entry: JsonObject): boolean =>
  ['Apply', 'Update'].includes(stringAt(entry, 'operation')) &&
  stringAt(entry, 'apiVersion') !== '' &&
  stringAt(entry, 'fieldsType') === 'FieldsV1';

const readSet = (object: JsonObject): FieldSet => ({
  member: object.size === 0 || object.has('.'),
  children: new Map(
    [...object].flatMap(([name, value]): [string, FieldSet][] =>
      name === '.' || !isObject(value) ? [] : [[name, readSet(value)]],
    ),
  ),
});

const writeSet = (set: FieldSet): JsonObject =>
  new Map<string, Json>([
    ...(set.member && set.children.size > 0 ? [['.', emptyObject] as const] : []),
    ...[...set.children]
      .sort(([left], [right]) => byCodePoint(left, right))
      .map(([name, child]) => [name, writeSet(child)] as const),
  ]);

const writeEntry = (entry: Entry): Json =>
  new Map<string, Json>([
    ['manager', entry.manager],
    ['operation', entry.operation],
    ['apiVersion', entry.apiVersion],
    ...(entry.time === '' ? [] : [['time', entry.time] as const]),
    ['fieldsType', 'FieldsV1'],
    ['fieldsV1', writeSet(entry.fields)],
    ...(entry.subresource === '' ? [] : [['subresource', entry.subresource] as const]),
  ]);

const byTime = (left: Entry, right: Entry): number =>
  byCodePoint(left.operation, right.operation) ||
  byCodePoint(left.time, right.time) ||
  byCodePoint(left.manager, right.manager) ||
  byCodePoint(left.apiVersion, right.apiVersion);

const hasMembers = (set: FieldSet): boolean =>
  set.member || [...set.children.values()].some(hasMembers);

const union = (left: FieldSet, right: FieldSet): FieldSet => {
  const children = new Map(left.children);
  for (const [name, child] of right.children) {
    const other = children.get(name);
    children.set(name, other === undefined ? child : union(other, child));
  }
  return { member: left.member || right.member, children };
};

const difference = (left: FieldSet, right: FieldSet): FieldSet => {
  const children = new Map<string, FieldSet>();
  for (const [name, child] of left.children) {
    const other = right.children.get(name);
    const rest = other === undefined ? child : difference(child, other);
    if (hasMembers(rest)) children.set(name, rest);
  }
  return { member: left.member && !right.member, children };
};

/** Metadata fields that are never managed. */
const unmanagedMetadata = new Set(
  [
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => `f:${name}`),
);

const stripMeta = (set: FieldSet, others: readonly string[]): FieldSet => {
  const children = new Map(set.children);
  for (const name of ['apiVersion', 'kind', ...others]) children.delete(`f:${name}`);
  const metadata = children.get('f:metadata');
  if (metadata !== undefined) {
    const rest = [...metadata.children].filter(([name]) => !unmanagedMetadata.has(name));
    if (rest.length === 0) children.delete('f:metadata');
    else children.set('f:metadata', { member: false, children: new Map(rest) });
  }
  return { member: false, children };
};

interface Changes {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const noChanges: Changes = { written: emptySet, removed: emptySet };
const wholeChange = (live: Json | undefined, now: Json | undefined): Changes => {
  if (now === undefined)
    return live === undefined ? noChanges : { written: emptySet, removed: leafSet };
  return sameJson(live, now) ? noChanges : { written: leafSet, removed: emptySet };
};

const compare = (live: JsonObject, now: JsonObject, shape: StructShape): Changes =>
  combineChanges(
    shape.rows.map((row) => [
      `f:${row.name}`,
      compareField(live.get(row.name), now.get(row.name), row),
    ]),
  );

const combineChanges = (parts: readonly (readonly [string, Changes])[]): Changes => {
  const of = (pick: (changes: Changes) => FieldSet): FieldSet => ({
    member: false,
    children: new Map(
      parts.flatMap(([name, changes]): [string, FieldSet][] =>
        hasMembers(pick(changes)) ? [[name, pick(changes)]] : [],
      ),
    ),
  });
  return { written: of(({ written }) => written), removed: of(({ removed }) => removed) };
};

/** Adds the container itself to the changes if it was added or removed. */
const withContainer = (live: Json | undefined, now: Json | undefined, inner: Changes): Changes => ({
  written: { ...inner.written, member: live === undefined },
  removed: { ...inner.removed, member: now === undefined },
});

const compareField = (
  before: Json | undefined,
  after: Json | undefined,
  { shape, ownership, written }: FieldRow,
): Changes => {
  // For kube-apiserver, a struct that is always written is never absent; a list that is null is.
  const isAlways = written === 'always' && shape.kind !== 'list';
  const live = (before === null ? undefined : before) ?? (isAlways ? emptyObject : undefined);
  const now = (after === null ? undefined : after) ?? (isAlways ? emptyObject : undefined);
  if (live === undefined && now === undefined) return noChanges;
  if (ownership === 'atomic') {
    if (written !== 'always') return wholeChange(live, now);
    // A list that is always written is never removed, only set to null.
    const wasUnset = before === undefined && shape.kind !== 'list';
    return wholeChange(wasUnset ? undefined : (before ?? null), after ?? null);
  }
  if (isEmptyValue(live) && isEmptyValue(now)) return wholeChange(live, now);
  return compareInside(live, now, { shape, ...(ownership === undefined ? {} : { ownership }) });
};

const isEmptyValue = (value: Json | undefined): boolean =>
  value === undefined ||
  (isObject(value) && value.size === 0) ||
  (isList(value) && value.length === 0);

const compareInside = (
  live: Json | undefined,
  now: Json | undefined,
  { shape, ownership }: Pick<FieldRow, 'shape' | 'ownership'>,
): Changes => {
  if (shape.kind === 'struct') {
    const inner = compare(objectOf(live), objectOf(now), shape);
    return withContainer(live, now, inner);
  }
  if (shape.kind === 'map' || (shape.kind === 'raw' && (isObject(live) || isObject(now)))) {
    const value: Shape = shape.kind === 'map' ? shape.value : { kind: 'raw' };
    return withContainer(live, now, compareMembers(objectOf(live), objectOf(now), value));
  }
  if (shape.kind === 'list' && ownership !== undefined && ownership !== 'atomic') {
    return withContainer(
      live,
      now,
      compareItems(listOf(live), listOf(now), { item: shape.item, ownership }),
    );
  }
  return wholeChange(live, now);
};

const compareMembers = (live: JsonObject, now: JsonObject, shape: Shape): Changes =>
  combineChanges(
    [...new Set([...live.keys(), ...now.keys()])].map((name) => [
      `f:${name}`,
      compareField(live.get(name), now.get(name), { name, shape }),
    ]),
  );

/**
 * Compares lists item by item. Items of a set are identified by their value, other items by their
 * key.
 */
const compareItems = (
  live: readonly Json[],
  now: readonly Json[],
  { item, ownership }: { readonly item: Shape; readonly ownership: 'set' | KeyedItems },
): Changes => {
  const keyOf = (value: Json): string => {
    if (ownership === 'set') return `v:${htmlEscapeJson(JSON.stringify(value))}`;
    const key = isObject(value) ? stringAt(value, ownership.key) : '';
    return `k:${htmlEscapeJson(JSON.stringify(Object.fromEntries([[ownership.key, key]])))}`;
  };
  const before = new Map(live.map((value) => [keyOf(value), value]));
  const after = new Map(now.map((value) => [keyOf(value), value]));
  return combineChanges(
    [...new Set([...before.keys(), ...after.keys()])].map((name) => [
      name,
      ownership !== 'set' && ownership.atomic === true
        ? wholeChange(before.get(name), after.get(name))
        : compareInside(before.get(name), after.get(name), { shape: item }),
    ]),
  );
};
