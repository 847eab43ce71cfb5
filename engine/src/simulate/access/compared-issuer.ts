/** The two authenticators of one issuer, before and after a change, and what they demand. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { Mode } from '../../model/differences.ts';
import { type AccessPart, mappingParts, type PartOptions } from './access-part.ts';
import type { AccessChangeKind } from './access-result.ts';
import type { DecideClaims } from './decide-claims.ts';
import { isSameUser } from './decide-claims.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';
import type { StringWalks } from './string-walks.ts';
import { audiencePart, claimTypeParts } from './token-parts.ts';

/** What all comparisons of two graphs share. */
export interface ComparisonContext {
  readonly mode: Mode;
  readonly budget: EvaluationBudget;
  readonly walks: StringWalks;
  readonly decideBefore: DecideClaims;
  readonly decideAfter: DecideClaims;
  /** Whether the extra key for the token's ID differs. */
  readonly credentialKeyDiffers: boolean;
}

/** One authenticator, and its parts. */
export interface AuthenticatorSide {
  readonly node: JwtNode;
  readonly parts: readonly AccessPart[];
}

export interface ComparedIssuer {
  readonly issuer: string;
  readonly before: AuthenticatorSide | undefined;
  readonly after: AuthenticatorSide | undefined;
}

/** What is needed to split the authenticators of an issuer into parts. */
export interface SplitOptions {
  readonly mode: Mode;
  /** The extra keys for the token's ID of both graphs. */
  readonly credentialIdKeys: readonly [before: string | undefined, after: string | undefined];
}

/** Splits the authenticators of an issuer into their parts. */
export const compareIssuer = (
  before: JwtNode | undefined,
  after: JwtNode | undefined,
  { mode, credentialIdKeys: [oldKey, changedKey] }: SplitOptions,
): ComparedIssuer => {
  const old = before && partsOf(before, { side: 'before', mode, credentialIdKey: oldKey });
  const changed = after && partsOf(after, { side: 'after', mode, credentialIdKey: changedKey });
  const all = [...(old ?? []), ...(changed ?? [])];
  const roots = new Set(all.flatMap((part) => [...part.reads.roots()]));
  return {
    issuer: (after ?? before)?.issuerUrl ?? '',
    before: before && {
      node: before,
      parts: [...(old ?? []), ...claimTypeParts(before, 'before', roots, mode)],
    },
    after: after && {
      node: after,
      parts: [...(changed ?? []), ...claimTypeParts(after, 'after', roots, mode)],
    },
  };
};

const partsOf = (node: JwtNode, options: PartOptions): readonly AccessPart[] => [
  audiencePart(node, options.side),
  ...mappingParts(node, options),
];

/** Returns the parts that another authenticator does not have. */
export const partsMissingIn = (
  side: AuthenticatorSide,
  other: AuthenticatorSide,
): readonly AccessPart[] => {
  const keys = new Set(other.parts.map(({ key }) => key));
  return side.parts.filter(({ key }) => !keys.has(key));
};

/** Decides claims with both graphs; `undefined` if the decisions are the same. */
export const changeFor = (
  claims: JsonObject,
  { decideBefore, decideAfter }: ComparisonContext,
): AccessChangeKind | undefined => {
  const before = decideBefore(claims);
  const after = decideAfter(claims);
  if (before === null) return after === null ? undefined : 'gained';
  if (after === null) return 'lost';
  return isSameUser(before, after) ? undefined : 'changed';
};
