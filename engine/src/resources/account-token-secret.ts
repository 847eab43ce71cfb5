/**
 * Secrets that hold the token of a service account. Their type and annotations have the domain's names
 * or kube-apiserver's.
 */
import { decodeGoBase64, encodeBase64 } from '../formats/base64.ts';
import { encodeUtf8 } from '../formats/utf8.ts';
import type { JsonObject } from '../model/json.ts';
import { stringAt } from './object-fields.ts';

/** `kubernetes.io/service-account-token` */
export const accountTokenType = (nameDomain: string): string =>
  `${nameDomain}/service-account-token`;

/** Annotation with the name of the account: `kubernetes.io/service-account.name`. */
export const accountNameAnnotation = (nameDomain: string): string =>
  `${nameDomain}/service-account.name`;

/** Annotation with the UID of the account, which is optional when a secret is created. */
export const accountUidAnnotation = (nameDomain: string): string =>
  `${nameDomain}/service-account.uid`;

export interface AccountTokenSecret {
  /** `kubernetes.io` or `platform.io`: the spelling that this secret uses. */
  readonly nameDomain: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly accountName: string;
  /** Empty where the annotation is absent; then any account of that name counts. */
  readonly accountUid: string;
}

/** `undefined` for an object of another type; `nameDomains` come from `accountNameDomains`. */
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

/** A value of a secret's `data`, in base64. */
export const secretValue = (text: string): string => encodeBase64(encodeUtf8(text));

/** Whether `data` has a value of that name that is not empty. */
export const hasSecretValue = (object: JsonObject, key: string): boolean =>
  stringAt(object, 'data', key) !== '';

/** Whether the value is that text; base64 may be written with line ends. */
export const isSecretValue = (object: JsonObject, key: string, text: string): boolean => {
  const decoded = decodeGoBase64(stringAt(object, 'data', key), {
    alphabet: 'standard',
    padding: 'required',
  });
  return decoded.kind === 'bytes' && encodeBase64(decoded.bytes) === secretValue(text);
};
