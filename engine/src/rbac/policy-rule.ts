/** Rules and subjects of RBAC as plain data. */

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup: string;
  readonly name: string;
  /** Namespace of a service account; empty for users and groups. */
  readonly namespace: string;
}

/** Returns a key that is equal for rules with the same members in the same order. */
export const ruleKey = (rule: PolicyRule): string =>
  JSON.stringify([
    rule.verbs,
    rule.apiGroups,
    rule.resources,
    rule.resourceNames,
    rule.nonResourceURLs,
  ]);
