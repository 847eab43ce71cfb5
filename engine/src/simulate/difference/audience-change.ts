/**
 * Claims are taken as they are, whomever they are meant for. Where two configurations are compared, and
 * the one takes the audience of the claims while the other does not, that is a change like any other.
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
  /** The authenticator that takes the claims. */
  readonly node: { readonly id: string; readonly audiences: readonly string[] } | undefined;
}

/** The two decisions; the one that the audience forbids is a refusal. */
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

/** The authenticator that takes the claims, as much of it as is written. */
export const takerOf = (compilation: Compilation, claims: ClaimSet): DecidedSide['node'] => {
  const [entry] = preview(compilation, claims).entries;
  return entry && entryNode(compilation, entry.index)?.node;
};

/** `none` where the audience is taken; `undefined` where nobody can say. */
const refusalOf = ({ node }: DecidedSide, audience: readonly string[]): string | undefined => {
  if (node === undefined || node.audiences.length === 0 || audience.length === 0) return undefined;
  const refusal = audienceProblem({ audience }, node);
  return refusal === undefined ? 'none' : `oidc: verify token: ${refusal}`;
};

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
