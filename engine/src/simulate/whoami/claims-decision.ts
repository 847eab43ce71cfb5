/** Which authenticator claims belong to, and what the mapping's outcome means for a request. */
import type { MappingOutcome } from '../../authenticators/jwt/map-claims.ts';
import { rejectionOf } from '../../authenticators/jwt/rejections.ts';
import { type JsonValue, ownMember } from '../../formats/json-with-shape.ts';
import type { Decision } from '../../model/decision.ts';
import { addDefaults } from '../../runtime/authenticate.ts';
import { type ClaimSet, normalizeIssuer } from '../../signed-token/payload.ts';

/** By `iss`; claims without it belong to the only authenticator, when there is one. */
export const takesClaims = (
  issuers: readonly (string | undefined)[],
  claims: ClaimSet,
): number | undefined => {
  const issuer = ownClaim(claims, 'iss');
  if (issuer === undefined) return issuers.length === 1 ? 0 : undefined;
  const index = typeof issuer === 'string' ? issuers.indexOf(normalizeIssuer(issuer)) : -1;
  return index === -1 ? undefined : index;
};

/** Whether the claims name the issuer as tokens do: such tokens belong to its entry. */
export const isFromIssuer = (claims: ClaimSet, issuerUrl: string): boolean => {
  const issuer = ownClaim(claims, 'iss');
  return typeof issuer === 'string' && normalizeIssuer(issuer) === issuerUrl;
};

/** As the request's stage says it, `system:authenticated` included. */
export const decisionOf = (outcome: MappingOutcome): Decision => {
  if (outcome.kind === 'rejected') {
    const { message, at } = outcome;
    const code = rejectionOf(message)?.code ?? 'AG5021';
    return { kind: 'rejected', by: 'jwt', reason: { code, message, at } };
  }
  const accepted: Decision = { kind: 'accepted', by: 'jwt', audiences: [], user: outcome.user };
  return addDefaults(accepted, []);
};

/** A claim may have the name of something that every object inherits. */
export const ownClaim = ({ claims }: ClaimSet, name: string): JsonValue | undefined =>
  ownMember(claims, name);
