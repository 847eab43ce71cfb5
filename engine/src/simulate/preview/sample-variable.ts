/**
 * Returns the value of an expression's variable for a sample: its claims, or the user made of them.
 */
import { linkMapping, readableClaims } from '../../authenticators/jwt/link-mapping.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { JsonRecord } from '../../cel/values/value.ts';
import type { Compilation } from '../../compile/compile.ts';
import { draftCredentialIdKey, entryNode } from '../../compile/entry-node.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { authenticatorIndexFor } from '../whoami/claims-decision.ts';
import { userBeforeRules } from './preview-parts.ts';

/** The authenticator that an expression belongs to. */
export interface ExpressionOwner {
  readonly compilation: Compilation;
  /** The index of the entry of `jwt` that contains the expression. */
  readonly index: number;
}

/**
 * Returns `undefined` if no user can be made of the claims, or if the entry has too many errors.
 */
export const sampleVariable = (
  environment: 'claims' | 'user',
  owner: ExpressionOwner,
  claims: ClaimSet,
): JsonRecord | undefined =>
  environment === 'claims' ? readableClaims(claims) : mappedUser(owner, claims);

/**
 * Reports whether the claims can reach the entry's expressions: those of another issuer cannot,
 * those without an issuer can.
 */
export const belongsTo = ({ compilation, index }: ExpressionOwner, claims: ClaimSet): boolean => {
  const issuers = (compilation.configuration?.jwt ?? []).map(({ issuer }) => issuer.url?.value);
  return !Object.hasOwn(claims.claims, 'iss') || authenticatorIndexFor(issuers, claims) === index;
};

const mappedUser = (
  { compilation, index }: ExpressionOwner,
  claims: ClaimSet,
): JsonRecord | undefined => {
  const entry = entryNode(compilation, index);
  if (entry === undefined) return undefined;
  const user = userBeforeRules(linkMapping(entry.node, planSerialized), claims, {
    credentialIdKey: draftCredentialIdKey(compilation),
  });
  if (user === undefined) return undefined;
  const { username, uid, groups, extra } = user;
  return { username, uid, groups, extra: Object.fromEntries(extra) };
};
