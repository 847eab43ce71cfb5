/** Helpers for all stores: the revision in an object's metadata, and preconditions. */
import { sameJson } from '../../formats/json-as-maps.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  type ObjectKey,
  type Preconditions,
  type StoredObject,
  StoreError,
} from '../../ports/store.ts';
import { objectAt, stringAt } from '../../resources/object-fields.ts';
import { pathOf } from './object-path.ts';

/** Returns the object under its key, with the revision in its metadata. */
export const storedObject = (
  key: ObjectKey,
  revision: string,
  object: JsonObject,
): StoredObject => ({
  key,
  revision,
  object: new Map([
    ...object,
    ['metadata', new Map([...objectAt(object, 'metadata'), ['resourceVersion', revision]])],
  ]),
});

/** Returns the object as it is stored: the store adds the revision. */
export const withoutRevision = (object: JsonObject): JsonObject => {
  const metadata = objectAt(object, 'metadata');
  if (!metadata.has('resourceVersion')) return object;
  const metadataEntries = [...metadata].filter(([name]) => name !== 'resourceVersion');
  return new Map([...object, ['metadata', new Map(metadataEntries)]]);
};

/** Returns `metadata.uid`, or an empty string. */
export const uidOf = (object: JsonObject): string => stringAt(object, 'metadata', 'uid');

/**
 * Returns whether an update would change nothing; like in kube-apiserver, it creates no revision
 * then.
 */
export const isUnchanged = (before: JsonObject, after: JsonObject): boolean =>
  sameJson(withoutRevision(before), withoutRevision(after));

/** Throws `conflict` with kube-apiserver's message if a precondition does not hold. */
export const checkPreconditions = (
  preconditions: Preconditions | undefined,
  { uid, revision }: { readonly uid: string; readonly revision: string },
): void => {
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw new StoreError(
      'conflict',
      `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
    );
  }
  if (preconditions?.revision !== undefined && preconditions.revision !== revision) {
    throw new StoreError(
      'conflict',
      `Precondition failed: ResourceVersion in precondition: ${preconditions.revision}, ResourceVersion in object meta: ${revision}`,
    );
  }
};

/** Returns the error for a key that exists. */
export const existsError = (key: ObjectKey): StoreError =>
  new StoreError('exists', `${key.resource} ${JSON.stringify(pathOf(key))} already exists`);

/** Returns the error for a key without an object. */
export const missingError = (key: ObjectKey): StoreError =>
  new StoreError('missing', `${key.resource} ${JSON.stringify(pathOf(key))} not found`);

/** Returns the error for a revision that has been compacted. */
export const goneError = (revision: string): StoreError =>
  new StoreError('gone', `too old resource version: ${revision}`);

/**
 * Parses a revision of a counting store; throws `gone` for a value that it cannot have returned.
 */
export const parseRevision = (revision: string): number => {
  if (!/^[1-9]\d{0,15}$/.test(revision)) throw goneError(revision);
  return Number(revision);
};

/**
 * Parses an etcd revision, which is an int64; throws `gone` for a value that etcd cannot have
 * returned.
 */
export const parseEtcdRevision = (revision: string): bigint => {
  const exact = /^[1-9]\d{0,18}$/.test(revision) ? BigInt(revision) : lastEtcdRevision + 1n;
  if (exact > lastEtcdRevision) throw goneError(revision);
  return exact;
};

const lastEtcdRevision = 2n ** 63n - 1n;
