/**
 * Ordinary claims of service account tokens, read without detours. Each function gives `undefined`
 * where a member is not of the plainest form that fits: then they are read member by member.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../formats/json.ts';
import type { BoundClaims, ObjectClaim, PublicClaims } from './account-claims.ts';

/** Members of all objects together; an empty one counts as one, as in `JsonShape`. */
export const membersOf = (value: JsonValue): number => {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (!isJsonObject(value)) {
    for (const item of value) count += membersOf(item);
    return count;
  }
  let own = 0;
  for (const name in value) {
    own += 1;
    count += membersOf(value[name] ?? null);
  }
  return count + Math.max(own, 1);
};

const nothingBound: BoundClaims = {
  namespace: '',
  account: { name: '', uid: '' },
  pod: undefined,
  secret: undefined,
  node: undefined,
  warnAfter: undefined,
};

/** Records of `JSON.parse` have no other members of these names than their own. */
export const quickPublic = (claims: JsonObject): PublicClaims | undefined => {
  const { iss = '', sub = '', aud = noTexts, exp, nbf, iat, jti = '' } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof jti !== 'string') {
    return undefined;
  }
  const audience = typeof aud === 'string' ? [aud] : aud;
  if (!isTextList(audience)) return undefined;
  if (!isSeconds(exp) || !isSeconds(nbf) || !isSeconds(iat)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    audience,
    expiry: whole(exp),
    notBefore: whole(nbf),
    issuedAt: whole(iat),
    id: jti,
  };
};

const noTexts: readonly string[] = [];

/** Of the first of the names that is there. */
export const quickBound = (
  claims: JsonObject,
  names: readonly string[],
): BoundClaims | undefined => {
  for (const name of names) {
    const bound = claims[name];
    if (bound !== undefined) return isJsonObject(bound) ? quickMembers(bound) : undefined;
  }
  return nothingBound;
};

const quickMembers = (claims: JsonObject): BoundClaims | undefined => {
  const { namespace = '', serviceaccount, pod, secret, node, warnafter } = claims;
  if (typeof namespace !== 'string' || !isSeconds(warnafter)) return undefined;
  const account = quickObject(serviceaccount);
  const boundPod = quickObject(pod);
  const boundSecret = quickObject(secret);
  const boundNode = quickObject(node);
  if (account === 'odd' || boundPod === 'odd' || boundSecret === 'odd' || boundNode === 'odd') {
    return undefined;
  }
  return {
    namespace,
    account: account ?? nothingBound.account,
    pod: boundPod,
    secret: boundSecret,
    node: boundNode,
    warnAfter: whole(warnafter),
  };
};

const quickObject = (value: JsonValue | undefined): ObjectClaim | 'odd' | undefined => {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return 'odd';
  const { name = '', uid = '' } = value;
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : 'odd';
};

/** Of the first of the names that is there; empty where none is, `undefined` where it is no text. */
export const quickText = (claims: JsonObject, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = claims[name];
    if (value !== undefined) return typeof value === 'string' ? value : undefined;
  }
  return '';
};

const isSeconds = (value: JsonValue | undefined): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

const whole = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.trunc(value);

const isTextList = (value: JsonValue): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
