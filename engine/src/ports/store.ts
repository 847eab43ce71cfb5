/**
 * The store port, implemented for memory, SQLite, etcd and the Kubernetes API. Endpoints and
 * controllers write to it; authentication reads an `ObjectView` instead.
 */
import type { ApiError } from '../model/api-error.ts';
import type { JsonObject } from '../model/json.ts';

/** Identifies an object. */
export interface ObjectKey {
  /** The plural name: `serviceaccounts`. */
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** An object at one revision. */
export interface StoredObject {
  readonly key: ObjectKey;
  /** Opaque outside of the store; equal for the same version of the same object only. */
  readonly revision: string;
  /** The object with its metadata; `metadata.resourceVersion` is `revision`. */
  readonly object: JsonObject;
}

/** All objects of a resource at one revision. */
export interface ObjectList {
  readonly objects: readonly StoredObject[];
  /** The revision of the list, after which a watch can start. */
  readonly revision: string;
}

/** A change, or a bookmark. */
export type StoreEvent =
  | { readonly kind: 'added' | 'modified'; readonly stored: StoredObject }
  /** The last state; the revision is that of the deletion. */
  | { readonly kind: 'deleted'; readonly stored: StoredObject }
  /** There are no further changes up to this revision. */
  | { readonly kind: 'bookmark'; readonly revision: string };

/** Why a call failed. */
export type StoreProblem =
  /** The object already exists. */
  | 'exists'
  | 'missing'
  /** The revision or the UID differs from the precondition. */
  | 'conflict'
  /** The revision is no longer available: list again. */
  | 'gone'
  /** The store rejects the request permanently (admission, quota, access). */
  | 'refused'
  /**
   * The failure may be temporary: disk full, no leader, no connection. A write may have happened
   * nevertheless.
   */
  | 'unavailable';

/** The error of every call of a store. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  /**
   * The error response of a store that is an API itself, if it is also the response to the client.
   */
  readonly apiError: ApiError | undefined;
  constructor(problem: StoreProblem, message: string, apiError?: ApiError) {
    super(message);
    this.name = 'StoreError';
    this.problem = problem;
    this.apiError = apiError;
  }
}

/** Conditions that must hold for a write. */
export interface Preconditions {
  readonly revision?: string;
  readonly uid?: string;
}

/** The result of deleting an object. */
export type Deletion =
  /** The object was deleted; this was its last state. */
  | { readonly kind: 'gone'; readonly object: JsonObject }
  /**
   * The remaining object, or for some kinds the previous one. `accepted`: the object is deleted
   * later.
   */
  | { readonly kind: 'done' | 'accepted'; readonly object: JsonObject };

/** A store. Calls reject with a `StoreError` only, and acknowledged writes survive a crash. */
export interface Store {
  get(key: ObjectKey): Promise<StoredObject | undefined>;
  /**
   * Lists a resource, ordered by the bytes of `namespace/name`; without a namespace those of all
   * namespaces.
   */
  list(resource: string, options?: { readonly namespace?: string }): Promise<ObjectList>;
  /**
   * Yields the events after the revision, in order, until the signal is aborted. Rejects with
   * `gone` if the revision is too old or of another store. Once it has caught up, it yields a
   * bookmark every few seconds.
   */
  watch(resource: string, after: string, signal: AbortSignal): AsyncIterable<StoreEvent>;
  /** Creates an object; rejects with `exists` if it exists already. */
  create(key: ObjectKey, object: JsonObject): Promise<StoredObject>;
  /**
   * Updates an object; rejects with `missing`, or with `conflict` if the preconditions do not hold.
   */
  update(key: ObjectKey, object: JsonObject, preconditions?: Preconditions): Promise<StoredObject>;
  /** Deletes an object; returns its last state. */
  delete(key: ObjectKey, preconditions?: Preconditions): Promise<StoredObject>;
  /**
   * Deletes an object with the client's `DeleteOptions`. Only stores that implement deletion
   * themselves (finalizers, grace period, dependents) have it; for the others the API does it with
   * `update` and `delete`.
   */
  readonly requestDeletion?: (last: StoredObject, options: JsonObject) => Promise<Deletion>;
  close(): Promise<void>;
}
