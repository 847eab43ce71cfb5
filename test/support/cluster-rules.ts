/** Applies the rules of kube-apiserver for deletions: what it does itself, and what it rejects. */

import { invalid } from '../../engine/src/model/api-error.ts';
import type { Json, JsonObject } from '../../engine/src/model/json.ts';
import {
  type Deletion,
  type ObjectKey,
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
} from '../../engine/src/ports/store.ts';
import { invalidValue } from '../../engine/src/resources/field-error.ts';
import { kinds } from '../../engine/src/resources/kinds.ts';
import { immortalNamespaces, withPhase } from '../../engine/src/resources/namespace.ts';
import {
  listAt,
  memberAt,
  objectAt,
  stringAt,
  stringsAt,
  withMember,
} from '../../engine/src/resources/object-fields.ts';

/** Updates an object: a PUT marks none for deletion, but removing the last finalizer deletes it. */
export const putInCluster = async (
  store: Store,
  key: ObjectKey,
  { object, only }: { readonly object: JsonObject; readonly only: Preconditions },
): Promise<JsonObject> => {
  const before = (await store.get(key))?.object ?? new Map();
  const marks = objectAt(before, 'metadata');
  const metadata = new Map<string, Json>([
    // Fields that are not sent keep their values.
    ...[...marks].filter(([name]) => retainedFields.includes(name)),
    ...objectAt(object, 'metadata'),
  ]);
  for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds']) {
    if (metadata.get(name) !== marks.get(name)) throw immutable(key, name, metadata);
  }
  const put = new Map([...object, ['metadata', metadata] as const]);
  const isLast =
    metadata.get('deletionGracePeriodSeconds') === 0 &&
    listAt(put, 'metadata', 'finalizers').length === 0;
  if (!isLast) return (await store.update(key, put, only)).object;
  await store.delete(key, only);
  return put;
};

const retainedFields = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

const immutable = (key: ObjectKey, field: string, metadata: JsonObject): StoreError => {
  const kind = kinds.find(({ resource }) => resource === key.resource)?.kind ?? '';
  const value = String(metadata.get(field));
  const problem = invalidValue(`metadata.${field}`, value, 'field is immutable');
  const answer = invalid({ kind, group: '', name: key.name }, [problem]);
  return new StoreError('refused', answer.message, answer);
};

/** A DELETE with its `DeleteOptions`. */
export const deleteInCluster = async (
  store: Store,
  key: ObjectKey,
  options: JsonObject,
): Promise<Deletion> => {
  const stored = await store.get(key);
  if (stored === undefined) throw new StoreError('missing', 'not found');
  checkPreconditions(stored, objectAt(options, 'preconditions'));
  const isTried = listAt(options, 'dryRun').length > 0;
  const left = leftBy(stored, options);
  if (left !== undefined) {
    const kind = options.get('orphanDependents') === false ? 'accepted' : 'done';
    return { kind, object: isTried ? left : (await store.update(key, left)).object };
  }
  if (!isTried) await store.delete(key);
  const returnsObject = ['pods', 'serviceaccounts'].includes(key.resource);
  return { kind: returnsObject ? 'done' : 'gone', object: stored.object };
};

const checkPreconditions = ({ object, revision }: StoredObject, only: JsonObject): void => {
  const uid = only.get('uid') ?? stringAt(object, 'metadata', 'uid');
  const holds =
    uid === stringAt(object, 'metadata', 'uid') &&
    (only.get('resourceVersion') ?? revision) === revision;
  if (!holds) throw new StoreError('conflict', 'the precondition does not hold');
};

/** Returns the object that remains; `undefined` if it is deleted at once. */
const leftBy = ({ key, object }: StoredObject, options: JsonObject): JsonObject | undefined => {
  if (key.resource === 'namespaces') {
    if (immortalNamespaces.has(key.name)) throw immortal(key.name);
    return withPhase(marked(object, undefined), 'Terminating');
  }
  const grace = key.resource === 'pods' ? podGrace(object, options) : 0;
  const finalizers = [
    ...new Set([...stringsAt(object, 'metadata', 'finalizers'), ...finalizersOf(options)]),
  ];
  if (finalizers.length === 0 && grace === 0) return undefined;
  const waiting = marked(object, grace);
  return finalizers.length === 0
    ? waiting
    : withMember(waiting, ['metadata', 'finalizers'], finalizers);
};

const immortal = (name: string): StoreError => {
  const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`;
  const details = { name, kind: 'namespaces' };
  return new StoreError('refused', message, { code: 403, reason: 'Forbidden', message, details });
};

const podGrace = (pod: JsonObject, options: JsonObject): number =>
  stringAt(pod, 'spec', 'nodeName') === ''
    ? 0
    : Number(
        options.get('gracePeriodSeconds') ?? memberAt(pod, 'spec', 'terminationGracePeriodSeconds'),
      );

const finalizersOf = (options: JsonObject): readonly string[] => {
  const policy = options.get('propagationPolicy');
  if (policy === 'Orphan' || options.get('orphanDependents') === true) return ['orphan'];
  return policy === 'Foreground' ? ['foregroundDeletion'] : [];
};

const marked = (object: JsonObject, graceSeconds: number | undefined): JsonObject => {
  const time = stringAt(object, 'metadata', 'deletionTimestamp') || '2026-11-21T13:58:01Z';
  const leaving = withMember(object, ['metadata', 'deletionTimestamp'], time);
  return graceSeconds === undefined
    ? leaving
    : withMember(leaving, ['metadata', 'deletionGracePeriodSeconds'], graceSeconds);
};
