/**
 * Claims are decided whatever their audience is. If two configurations are compared and only one of
 * them accepts the audience of the claims, that counts as an access change too.
 */
import { verifyPrefix } from '../../authenticators/jwt/rejections.ts';
import type { Compilation } from '../../compile/compile.ts';
import { entryNode } from '../../compile/entry-node.ts';
import type { Decision, Rejection } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { audienceProblem } from '../../signed-token/verify.ts';
import { preview } from '../preview/preview.ts';
import { ownClaim } from '../whoami/claims-decision.ts';

/** A decision under one configuration. */
export interface DecidedSide {
  readonly decision: Decision;
  /** The authenticator that handles the claims. */
  readonly node: { readonly id: string; readonly audiences: readonly string[] } | undefined;
}

/**
 * Returns the two decisions. If only one side accepts the audience, the other becomes a rejection.
 */
export const heldToAudience = (
  claims: ClaimSet,
  before: DecidedSide,
  after: DecidedSide,
): readonly [before: Decision, after: Decision] => {
  const audience = textsOf(ownClaim(claims, 'aud'));
  const isTaken = [before, after].some((side) => audienceRejection(side, audience) === 'none');
  const held = (side: DecidedSide): Decision => {
    const rejection = audienceRejection(side, audience);
    if (!isTaken || rejection === undefined || rejection === 'none') return side.decision;
    const { code } = rejection;
    const message = verifyPrefix + rejection.message;
    const at = `${side.node?.id ?? ''}.issuer.audiences`;
    return { kind: 'rejected', by: 'jwt', reason: { code, message, at } };
  };
  return [held(before), held(after)];
};

/** Returns the authenticator that handles the claims, as far as the configuration is complete. */
export const authenticatorOf = (
  compilation: Compilation,
  claims: ClaimSet,
): DecidedSide['node'] => {
  const [entry] = preview(compilation, claims).entries;
  return entry && entryNode(compilation, entry.index)?.node;
};

/** Returns `none` if the audience is accepted, `undefined` if that is unknown. */
const audienceRejection = (
  { node }: DecidedSide,
  audience: readonly string[],
): Rejection | 'none' | undefined =>
  node === undefined || node.audiences.length === 0 || audience.length === 0
    ? undefined
    : (audienceProblem({ audience }, node) ?? 'none');

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
