/**
 * What requests know of the stored objects: a local copy that follows the store. Its age is bounded;
 * past the bound nothing is found any more, and what depends on it is refused.
 */
import type { JsonObject } from '../model/json.ts';
import type { ObjectKey } from './store.ts';

export type Lookup =
  | { readonly kind: 'found'; readonly object: JsonObject }
  | { readonly kind: 'missing' }
  /** Nobody knows; in words for the log. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface ObjectView {
  /** A value from the copy; a promise where a fresh object may be younger than it. */
  find(key: ObjectKey): Lookup | Promise<Lookup>;
  /** Objects of one resource in the order of the bytes of `namespace/name`; `undefined` past the bound. */
  list(resource: string, namespace?: string): readonly JsonObject[] | undefined;
  /** Grows with every change that the copy has seen; equal numbers mean equal content. */
  generation(): number;
  /** Called after each change of the resource; gives the way out. */
  onChange(resource: string, call: (change: ObjectChange) => void): () => void;
  /** Not ready before the first complete copy, and past the bound. */
  readiness(): { readonly ready: boolean; readonly reason: string };
}

export interface ObjectChange {
  readonly kind: 'put' | 'deleted';
  readonly object: JsonObject;
}
