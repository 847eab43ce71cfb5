/**
 * Secrets of bootstrap tokens. The authenticator and the token cleaner both read them here, so they
 * agree on fields and expiration.
 */
import { decodeGoBase64 } from '../formats/base64.ts';
import { decodeBytes } from '../formats/byte-string.ts';
import { parseGoRfc3339 } from '../formats/go-rfc3339.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { memberAt, objectAt, stringAt } from './object-fields.ts';

/** Namespace and name prefix of the Secrets; the token ID follows the prefix. */
export const bootstrapNamespace = 'kube-system';
export const bootstrapNamePrefix = 'bootstrap-token-';

/** A bootstrap token Secret. */
export interface BootstrapSecret {
  readonly namespace: string;
  readonly name: string;
  /** Empty if the object has no UID. */
  readonly uid: string;
  /** Whether the Secret has been deleted and only waits for its finalizers. */
  readonly isBeingDeleted: boolean;
  /** Returns a decoded value of the data, or an empty string if it is absent. */
  value(key: BootstrapKey): string;
}

/** Keys of the data of a bootstrap token Secret. */
export type BootstrapKey =
  | 'token-id'
  | 'token-secret'
  | 'expiration'
  | 'usage-bootstrap-authentication'
  | 'auth-extra-groups';

/**
 * Reads such a Secret; returns `undefined` for an object that is not a Secret of one of the types.
 */
export const readBootstrapSecret = (
  object: JsonObject,
  types: readonly string[],
): BootstrapSecret | undefined => {
  if (!types.includes(stringAt(object, 'type'))) return undefined;
  const data = objectAt(object, 'data');
  return {
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
    uid: stringAt(object, 'metadata', 'uid'),
    isBeingDeleted: (memberAt(object, 'metadata', 'deletionTimestamp') ?? null) !== null,
    value: (key) => decodedValue(data.get(key) ?? null),
  };
};

export type BootstrapTokenExpiration =
  | { readonly kind: 'never' }
  /** Milliseconds since 1970 at which the token expires. */
  | { readonly kind: 'at'; readonly ms: number }
  /** An expiration that cannot be parsed; the token counts as expired. */
  | { readonly kind: 'unreadable' };

/** Returns when the token expires. */
export const bootstrapTokenExpiration = (secret: BootstrapSecret): BootstrapTokenExpiration => {
  const text = secret.value('expiration');
  if (text === '') return { kind: 'never' };
  const moment = parseGoRfc3339(text);
  if (moment === undefined) return { kind: 'unreadable' };
  return { kind: 'at', ms: moment.seconds * 1000 + moment.nanos / 1_000_000 };
};

/** Replaces a value that is not valid base64; it matches no token, time or group. */
const unreadable = '\ufffd';

const decodedValue = (encoded: Json): string => {
  if (encoded === null) return '';
  if (typeof encoded !== 'string') return unreadable;
  const decoded = decodeGoBase64(encoded, { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? decodeBytes(decoded.bytes) : unreadable;
};
