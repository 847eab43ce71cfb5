/** What all stores do with objects: the revision within them, and what a writer expects of them. */
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

/** The object under its key, with the revision in its metadata. */
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

/** As it is kept: the revision is the store's to say. */
export const withoutRevision = (object: JsonObject): JsonObject => {
  const metadata = objectAt(object, 'metadata');
  if (!metadata.has('resourceVersion')) return object;
  const metadataEntries = [...metadata].filter(([name]) => name !== 'resourceVersion');
  return new Map([...object, ['metadata', new Map(metadataEntries)]]);
};

/** `metadata.uid`, empty where it has none. */
export const uidOf = (object: JsonObject): string => stringAt(object, 'metadata', 'uid');

/** Would an update change nothing? Then it makes no revision, as in the real server. */
export const isUnchanged = (before: JsonObject, after: JsonObject): boolean =>
  sameJson(withoutRevision(before), withoutRevision(after));

/** Throws `conflict` where one does not hold, in the words of the real server's store. */
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

/** The key is taken. */
export const existsError = (key: ObjectKey): StoreError =>
  new StoreError('exists', `${key.resource} ${JSON.stringify(pathOf(key))} already exists`);

/** Nothing is stored under the key. */
export const missingError = (key: ObjectKey): StoreError =>
  new StoreError('missing', `${key.resource} ${JSON.stringify(pathOf(key))} not found`);

/** Older than what the store remembers. */
export const goneError = (revision: string): StoreError =>
  new StoreError('gone', `too old resource version: ${revision}`);

/** A revision that the store counts; `gone` for what it can't have given. */
export const parseRevision = (revision: string): number => {
  if (!/^[1-9]\d{0,15}$/.test(revision)) throw goneError(revision);
  return Number(revision);
};

/** An etcd revision, which is an int64; `gone` for one that etcd cannot have given. */
export const parseEtcdRevision = (revision: string): bigint => {
  const exact = /^[1-9]\d{0,18}$/.test(revision) ? BigInt(revision) : lastEtcdRevision + 1n;
  if (exact > lastEtcdRevision) throw goneError(revision);
  return exact;
};

const lastEtcdRevision = 2n ** 63n - 1n;
