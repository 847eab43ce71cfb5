/** How a release and its feature gates affect service account tokens. */
import { accountTokenGates, type FeatureGates, hasGate } from '../../model/feature-gates.ts';
import type { Release } from '../../model/release.ts';

export interface AccountTokenRules {
  /** True if new tokens have an ID and identities an extra value with it. */
  readonly identifiers: boolean;
  /**
   * True if tokens that are bound to a pod contain its node and identities an extra value with it.
   */
  readonly podNodes: boolean;
  /** True if tokens can be bound to a node. */
  readonly nodeBinding: boolean;
  /** True if tokens that are bound to a node are accepted. */
  readonly nodeValidation: boolean;
}

export const accountTokenRules = (gates: FeatureGates): AccountTokenRules => ({
  identifiers: gates.get(accountTokenGates.identifiers) ?? true,
  podNodes: gates.get(accountTokenGates.podNodes) ?? true,
  nodeBinding: gates.get(accountTokenGates.nodeBinding) ?? true,
  nodeValidation: gates.get(accountTokenGates.nodeValidation) ?? true,
});

/** What happens to a TokenRequest that has the UID of another service account. */
export type UidMismatchRule = 'rejected' | 'reported' | 'ignored';

/** Returns the rule. Releases without the feature gate ignore the UID. */
export const uidMismatchRule = (gates: FeatureGates, release: Release): UidMismatchRule => {
  if (gates.get(accountTokenGates.requestUid) ?? true) return 'rejected';
  return hasGate(accountTokenGates.requestUid, release) ? 'reported' : 'ignored';
};
