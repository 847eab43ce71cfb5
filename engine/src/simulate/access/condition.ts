/** Conditions on the claims of a token, and what is known about claims that meet all of them. */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { AccessPart } from './access-part.ts';
import type { ClaimReads } from './claim-reads.ts';
import type { RuleLeaf } from './rule-leaves.ts';

export interface Condition {
  /** The field that it comes from. */
  readonly place: ConditionPlace;
  readonly reads: ClaimReads;
  readonly roots: ReadonlySet<string>;
  readonly readsAllClaims: boolean;
  readonly unsupported: readonly string[];
  readonly leaves: readonly RuleLeaf[];
  holds(claims: JsonObject): boolean;
}

/** A field of one of the two configurations. */
export interface ConditionPlace {
  readonly side: 'before' | 'after';
  /** The field: `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
}

/** Why something could not be proved. */
export interface ProofGap {
  /** Absent if no single field is the cause. */
  readonly place?: ConditionPlace;
  /** The construct or the limit, in plain words. */
  readonly construct: string;
}

/** Whether there are claims that meet all conditions. */
export type Solution =
  | { readonly kind: 'found'; readonly claims: JsonObject }
  /** It is proved that there are none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided'; readonly gaps: readonly ProofGap[] };

/** Returns the condition that a token passes a part. */
export const passing = (part: AccessPart): Condition => ({
  ...part,
  place: { side: part.side, at: part.at },
  roots: part.reads.roots(),
  holds: (claims) => part.test(claims),
});

/** Returns the condition that a token does not pass a part. */
export const failing = (part: AccessPart): Condition => ({
  ...passing(part),
  holds: (claims) => !part.test(claims),
});

/** Checks whether every construct of a condition is understood. */
export const isSupported = ({ unsupported, readsAllClaims }: Condition): boolean =>
  unsupported.length === 0 && !readsAllClaims;

/** Returns the constructs of conditions that prevent a proof. */
export const gapsOf = (conditions: readonly Condition[]): readonly ProofGap[] =>
  conditions.flatMap(({ place, unsupported }) =>
    unsupported.map((construct) => ({ place, construct })),
  );
