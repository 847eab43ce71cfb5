/**
 * Claims are decided whatever their audience is. If two configurations are compared and only one of
 * them accepts the audience of the claims, that counts as an access change too.
 */
import { rejectionOf } from '../../authenticators/jwt/rejections.ts';
import type { Compilation } from '../../compile/compile.ts';
import { entryNode } from '../../compile/entry-node.ts';
import type { Decision } from '../../model/decision.ts';
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
  const isTaken = [before, after].some((side) => refusalOf(side, audience) === 'none');
  const held = (side: DecidedSide): Decision => {
    const message = refusalOf(side, audience);
    if (!isTaken || message === undefined || message === 'none') return side.decision;
    const code = rejectionOf(message)?.code ?? 'AG5021';
    const at = `${side.node?.id ?? ''}.issuer.audiences`;
    return { kind: 'rejected', by: 'jwt', reason: { code, message, at } };
  };
  return [held(before), held(after)];
};

/** Returns the authenticator that handles the claims, as far as the configuration is complete. */
export const takerOf = (compilation: Compilation, claims: ClaimSet): DecidedSide['node'] => {
  const [entry] = preview(compilation, claims).entries;
  return entry && entryNode(compilation, entry.index)?.node;
};

/** Returns `none` if the audience is accepted, `undefined` if that is unknown. */
const refusalOf = ({ node }: DecidedSide, audience: readonly string[]): string | undefined => {
  if (node === undefined || node.audiences.length === 0 || audience.length === 0) return undefined;
  const refusal = audienceProblem({ audience }, node);
  return refusal === undefined ? 'none' : `oidc: verify token: ${refusal}`;
};

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
