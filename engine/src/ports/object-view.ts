/**
 * The port with which requests read stored objects: a local copy that follows the store. Once the
 * copy is too old nothing is found any more, and requests that depend on it are rejected.
 */
import type { JsonObject } from '../model/json.ts';
import type { ObjectKey } from './store.ts';

export type Lookup =
  | { readonly kind: 'found'; readonly object: JsonObject }
  | { readonly kind: 'missing' }
  /** The object could not be looked up; the reason is for the log. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface ObjectView {
  /** Looks up an object; returns a promise if the object may be newer than the copy. */
  find(key: ObjectKey): Lookup | Promise<Lookup>;
  /**
   * Lists the objects of a resource, ordered by the bytes of `namespace/name`; `undefined` if the
   * copy is too old. Returns the same list until one of its objects changes.
   */
  list(resource: string, namespace?: string): readonly JsonObject[] | undefined;
  /** Calls back after each change of the resource; returns a function that unsubscribes. */
  onChange(resource: string, call: (change: ObjectChange) => void): () => void;
  /** Reports whether the copy can be used: it is complete and not too old. */
  readiness(): { readonly isReady: boolean; readonly reason: string };
}

export interface ObjectChange {
  readonly kind: 'put' | 'deleted';
  readonly object: JsonObject;
}
