/**
 * Where objects live: one small port for memory, SQLite, etcd and the Kubernetes API. Endpoints and
 * controllers write through it; requests that are authenticated read an `ObjectView`, never the store.
 */
import type { ApiError } from '../model/api-error.ts';
import type { JsonObject } from '../model/json.ts';

/** Where an object is. */
export interface ObjectKey {
  /** Plural: `serviceaccounts`. */
  readonly resource: string;
  /** Empty for what lives in no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** An object at one revision. */
export interface StoredObject {
  readonly key: ObjectKey;
  /** Opaque outside of the store; equal exactly for one version of one object. */
  readonly revision: string;
  /** The object with its metadata; `metadata.resourceVersion` is `revision`. */
  readonly object: JsonObject;
}

/** All objects of a resource at one revision. */
export interface ObjectList {
  readonly objects: readonly StoredObject[];
  /** Of the whole list; a watch may begin after it. */
  readonly revision: string;
}

/** A change, or that there was none. */
export type StoreEvent =
  | { readonly kind: 'added' | 'modified'; readonly stored: StoredObject }
  /** The last state, with the revision of the deletion. */
  | { readonly kind: 'deleted'; readonly stored: StoredObject }
  /** Nothing happened up to here. */
  | { readonly kind: 'bookmark'; readonly revision: string };

/** Why a call was not done. */
export type StoreProblem =
  /** The key is taken. */
  | 'exists'
  | 'missing'
  /** Another revision or another UID than the one that was asked for. */
  | 'conflict'
  /** The revision is older than what the store remembers: list again. */
  | 'gone'
  /** A store with rules of its own (admission, quota, access) will never have it. */
  | 'refused'
  /** Later, perhaps: disk full, no leader, no connection. A write may have happened all the same. */
  | 'unavailable';

/** What every call of a store rejects with. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  /** What a store that is an API itself answered, where that is the answer to the client too. */
  readonly answer: ApiError | undefined;
  constructor(problem: StoreProblem, message: string, answer?: ApiError) {
    super(message);
    this.name = 'StoreError';
    this.problem = problem;
    this.answer = answer;
  }
}

/** What must still hold when a write comes to its object. */
export interface Preconditions {
  readonly revision?: string;
  readonly uid?: string;
}

/** What became of an object that was to be deleted. */
export type Deletion =
  /** It is no more; this was its last state. */
  | { readonly kind: 'gone'; readonly object: JsonObject }
  /** As it is left, or, of some kinds, as it was. `accepted`: more has to happen before it goes. */
  | { readonly kind: 'done' | 'accepted'; readonly object: JsonObject };

/** Every call rejects with a `StoreError` and nothing else. What was acknowledged survives a crash. */
export interface Store {
  get(key: ObjectKey): Promise<StoredObject | undefined>;
  /**
   * One resource as it is now, in the order of the bytes of `namespace/name`; of all namespaces where
   * none is named.
   */
  list(resource: string, options?: { readonly namespace?: string }): Promise<ObjectList>;
  /**
   * Events after the revision, in order, until the signal, then it ends; `gone` when the revision is
   * too old or not of this store. Caught up, it says so with a bookmark every few seconds.
   */
  watch(resource: string, after: string, signal: AbortSignal): AsyncIterable<StoreEvent>;
  /** `exists` where the key is taken. */
  create(key: ObjectKey, object: JsonObject): Promise<StoredObject>;
  /** `missing`, or `conflict` where the preconditions do not hold. */
  update(key: ObjectKey, object: JsonObject, preconditions?: Preconditions): Promise<StoredObject>;
  /** Gives the last state. */
  delete(key: ObjectKey, preconditions?: Preconditions): Promise<StoredObject>;
  /**
   * Only of a store that decides itself what a deletion does (marks, finalizers, grace, dependants): it
   * gets the client's `DeleteOptions`. For the others the API does this, by `update` and `delete`.
   */
  readonly requestDeletion?: (last: StoredObject, options: JsonObject) => Promise<Deletion>;
  close(): Promise<void>;
}
