/**
 * Finds the authenticator of given claims, and turns the outcome of its mapping into a decision.
 */
import type { MappingOutcome } from '../../authenticators/jwt/map-claims.ts';
import { type JsonValue, ownMember } from '../../formats/json-with-shape.ts';
import type { Decision } from '../../model/decision.ts';
import { addDefaultGroup } from '../../runtime/combine-decisions.ts';
import { type ClaimSet, normalizeIssuer } from '../../signed-token/payload.ts';

/**
 * Returns the index of the authenticator that handles the claims: the one with their `iss`, or the
 * only one for claims without `iss`.
 */
export const authenticatorIndexFor = (
  issuers: readonly (string | undefined)[],
  claims: ClaimSet,
): number | undefined => {
  const issuer = ownClaim(claims, 'iss');
  if (issuer === undefined) return issuers.length === 1 ? 0 : undefined;
  const index = typeof issuer === 'string' ? issuers.indexOf(normalizeIssuer(issuer)) : -1;
  return index === -1 ? undefined : index;
};

/** Returns the authenticator that handles the claims. */
export const nodeOfClaims = <Node extends { readonly issuerUrl: string }>(
  nodes: readonly Node[],
  claims: ClaimSet,
): Node | undefined =>
  nodes[
    authenticatorIndexFor(
      nodes.map(({ issuerUrl }) => issuerUrl),
      claims,
    ) ?? -1
  ];

/** Reports whether the claims have the given issuer, like the tokens of its authenticator. */
export const isFromIssuer = (claims: ClaimSet, issuerUrl: string): boolean => {
  const issuer = ownClaim(claims, 'iss');
  return typeof issuer === 'string' && normalizeIssuer(issuer) === issuerUrl;
};

/** Returns the distinct audiences of the claims. */
export const audiencesOf = (claims: ClaimSet): readonly string[] => {
  const audience = ownClaim(claims, 'aud');
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return [...new Set(all.filter((one) => typeof one === 'string'))];
};

/** Returns the decision as a request would get it, with the group `system:authenticated`. */
export const decisionOf = (outcome: MappingOutcome): Decision => {
  if (outcome.kind === 'rejected') {
    const { code, message, at } = outcome;
    return { kind: 'rejected', by: 'jwt', reason: { code, message, at } };
  }
  return addDefaultGroup({ kind: 'accepted', by: 'jwt', audiences: [], user: outcome.user });
};

/** Returns an own member only: a claim may have the name of a member that every object inherits. */
export const ownClaim = ({ claims }: ClaimSet, name: string): JsonValue | undefined =>
  ownMember(claims, name);
