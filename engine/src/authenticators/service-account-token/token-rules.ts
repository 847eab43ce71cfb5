/** What a release and its feature gates make of service account tokens. */
import { accountTokenGates, type FeatureGates, hasGate } from '../../model/feature-gates.ts';
import type { Release } from '../../model/release.ts';

export interface AccountTokenRules {
  /** Tokens have an identifier, and an identity tells it. */
  readonly identifiers: boolean;
  /** Tokens that are bound to a pod name its node, and an identity tells it. */
  readonly podNodes: boolean;
  /** Are tokens made that are bound to a node? */
  readonly nodeBinding: boolean;
  /** Are they accepted? */
  readonly nodeValidation: boolean;
}

export const accountTokenRules = (gates: FeatureGates): AccountTokenRules => ({
  identifiers: gates.get(accountTokenGates.identifiers) ?? true,
  podNodes: gates.get(accountTokenGates.podNodes) ?? true,
  nodeBinding: gates.get(accountTokenGates.nodeBinding) ?? true,
  nodeValidation: gates.get(accountTokenGates.nodeValidation) ?? true,
});

/** What becomes of a request for a token that names the UID of another account. */
export type UidMismatchRule = 'rejected' | 'reported' | 'ignored';

/** Releases without the gate do not read the UID at all. */
export const uidMismatchRule = (gates: FeatureGates, release: Release): UidMismatchRule => {
  if (gates.get(accountTokenGates.requestUid) ?? true) return 'rejected';
  return hasGate(accountTokenGates.requestUid, release) ? 'reported' : 'ignored';
};
