/**
 * Secrets that are bootstrap tokens: who reads one for a request, and who clears away the expired
 * ones, see the same fields and the same end.
 */
import { decodeGoBase64 } from '../formats/base64.ts';
import { decodeBytes } from '../formats/byte-string.ts';
import { parseGoRfc3339 } from '../formats/go-rfc3339.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { memberAt, objectAt, stringAt } from './object-fields.ts';

/** Where they live, and how their names begin; the id of the token follows. */
export const bootstrapNamespace = 'kube-system';
export const bootstrapNamePrefix = 'bootstrap-token-';

/** What a token secret says. */
export interface BootstrapSecret {
  readonly namespace: string;
  readonly name: string;
  /** Empty where the object has none. */
  readonly uid: string;
  /** Deleted, and only waiting for it. */
  readonly isBeingDeleted: boolean;
  /** A value of the data, decoded; empty where there is none. */
  value(key: BootstrapKey): string;
}

/** Entries of its data. */
export type BootstrapKey =
  | 'token-id'
  | 'token-secret'
  | 'expiration'
  | 'usage-bootstrap-authentication'
  | 'auth-extra-groups';

/** `undefined` for an object that is no secret of one of these types. */
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
  /** Milliseconds since 1970; from then on the token is expired. */
  | { readonly kind: 'at'; readonly ms: number }
  /** Counts as expired. */
  | { readonly kind: 'unreadable' };

/** When the token ends. */
export const bootstrapTokenExpiration = (secret: BootstrapSecret): BootstrapTokenExpiration => {
  const text = secret.value('expiration');
  if (text === '') return { kind: 'never' };
  const moment = parseGoRfc3339(text);
  if (moment === undefined) return { kind: 'unreadable' };
  return { kind: 'at', ms: moment.seconds * 1000 + moment.nanos / 1_000_000 };
};

/** Stands for what is no base64: no token, no time and no group that anybody could mean. */
const unreadable = '\ufffd';

const decodedValue = (encoded: Json): string => {
  if (encoded === null) return '';
  if (typeof encoded !== 'string') return unreadable;
  const decoded = decodeGoBase64(encoded, { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? decodeBytes(decoded.bytes) : unreadable;
};
