/**
 * Secrets that contain the token of a service account. Their type and annotations use the names of
 * the served domain or those of kube-apiserver.
 */
import { decodeGoBase64, encodeBase64 } from '../formats/base64.ts';
import { encodeUtf8 } from '../formats/utf8.ts';
import type { JsonObject } from '../model/json.ts';
import { stringAt } from './object-fields.ts';

/** Returns the type of such Secrets: `kubernetes.io/service-account-token`. */
export const accountTokenType = (nameDomain: string): string =>
  `${nameDomain}/service-account-token`;

/**
 * Returns the annotation with the name of the service account:
 * `kubernetes.io/service-account.name`.
 */
export const accountNameAnnotation = (nameDomain: string): string =>
  `${nameDomain}/service-account.name`;

/**
 * Returns the annotation with the UID of the service account, which is optional when a Secret is
 * created.
 */
export const accountUidAnnotation = (nameDomain: string): string =>
  `${nameDomain}/service-account.uid`;

export interface AccountTokenSecret {
  /** Domain of the names that this Secret uses: `kubernetes.io` or `platform.io`. */
  readonly nameDomain: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly accountName: string;
  /** UID from the annotation; if empty, any service account of that name counts. */
  readonly accountUid: string;
}

/**
 * Reads such a Secret; returns `undefined` for an object of another type. `nameDomains` come from
 * `accountNameDomains`.
 */
export const readAccountTokenSecret = (
  object: JsonObject,
  nameDomains: readonly string[],
): AccountTokenSecret | undefined => {
  const type = stringAt(object, 'type');
  const nameDomain = nameDomains.find((domain) => accountTokenType(domain) === type);
  if (nameDomain === undefined) return undefined;
  const annotation = (name: string): string => stringAt(object, 'metadata', 'annotations', name);
  return {
    nameDomain,
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
    uid: stringAt(object, 'metadata', 'uid'),
    accountName: annotation(accountNameAnnotation(nameDomain)),
    accountUid: annotation(accountUidAnnotation(nameDomain)),
  };
};

/** Returns a value for `data` of a Secret, in base64. */
export const secretValue = (text: string): string => encodeBase64(encodeUtf8(text));

/** Returns whether `data` has a nonempty value of that name. */
export const hasSecretValue = (object: JsonObject, key: string): boolean =>
  stringAt(object, 'data', key) !== '';

/** Returns whether the value equals the text; the base64 may contain line breaks. */
export const isSecretValue = (object: JsonObject, key: string, text: string): boolean => {
  const decoded = decodeGoBase64(stringAt(object, 'data', key), {
    alphabet: 'standard',
    padding: 'required',
  });
  return decoded.kind === 'bytes' && encodeBase64(decoded.bytes) === secretValue(text);
};
