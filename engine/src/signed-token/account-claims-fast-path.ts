/**
 * The fast path for common claims of service account tokens. Each function returns `undefined` if a
 * member has an unusual form; the claims are then decoded member by member.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../formats/json-with-shape.ts';
import type { BoundClaims, ObjectClaim, PublicClaims } from './claim-types.ts';

/** Counts the members of all objects; an empty object counts as one, as in `JsonShape`. */
export const countMembers = (value: JsonValue): number => {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (!isJsonObject(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  let ownMembers = 0;
  for (const name in value) {
    ownMembers += 1;
    count += countMembers(value[name] ?? null);
  }
  return count + Math.max(ownMembers, 1);
};

const nothingBound: BoundClaims = {
  namespace: '',
  account: { name: '', uid: '' },
  pod: undefined,
  secret: undefined,
  node: undefined,
  warnAfter: undefined,
};

/** Reads the public claims. Objects of `JSON.parse` have own members of these names only. */
export const publicClaimsFastPath = (claims: JsonObject): PublicClaims | undefined => {
  const { iss = '', sub = '', aud = noStrings, exp, nbf, iat, jti = '' } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof jti !== 'string') {
    return undefined;
  }
  const audience = typeof aud === 'string' ? [aud] : aud;
  if (!isStringList(audience)) return undefined;
  if (!isSeconds(exp) || !isSeconds(nbf) || !isSeconds(iat)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    audience,
    expiry: truncate(exp),
    notBefore: truncate(nbf),
    issuedAt: truncate(iat),
    id: jti,
  };
};

const noStrings: readonly string[] = [];

/** Reads the private claims of the first name that is present. */
export const boundClaimsFastPath = (
  claims: JsonObject,
  names: readonly string[],
): BoundClaims | undefined => {
  for (const name of names) {
    const bound = claims[name];
    if (bound !== undefined) return isJsonObject(bound) ? boundMembersFastPath(bound) : undefined;
  }
  return nothingBound;
};

const boundMembersFastPath = (claims: JsonObject): BoundClaims | undefined => {
  const { namespace = '', serviceaccount, pod, secret, node, warnafter } = claims;
  if (typeof namespace !== 'string' || !isSeconds(warnafter)) return undefined;
  const account = objectClaimFastPath(serviceaccount);
  const boundPod = objectClaimFastPath(pod);
  const boundSecret = objectClaimFastPath(secret);
  const boundNode = objectClaimFastPath(node);
  if (
    account === 'unusual' ||
    boundPod === 'unusual' ||
    boundSecret === 'unusual' ||
    boundNode === 'unusual'
  ) {
    return undefined;
  }
  return {
    namespace,
    account: account ?? nothingBound.account,
    pod: boundPod,
    secret: boundSecret,
    node: boundNode,
    warnAfter: truncate(warnafter),
  };
};

const objectClaimFastPath = (value: JsonValue | undefined): ObjectClaim | 'unusual' | undefined => {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return 'unusual';
  const { name = '', uid = '' } = value;
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : 'unusual';
};

/** Reads a string claim of the first name that is present; empty if absent. */
export const stringClaimFastPath = (
  claims: JsonObject,
  names: readonly string[],
): string | undefined => {
  for (const name of names) {
    const value = claims[name];
    if (value !== undefined) return typeof value === 'string' ? value : undefined;
  }
  return '';
};

const isSeconds = (value: JsonValue | undefined): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

const truncate = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.trunc(value);

const isStringList = (value: JsonValue): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
