/** What roles say, as plain data. */

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
  /** Of service accounts. */
  readonly namespace: string;
}

/** Equal for rules that say the same in the same order. */
export const ruleKey = (rule: PolicyRule): string =>
  JSON.stringify([
    rule.verbs,
    rule.apiGroups,
    rule.resources,
    rule.resourceNames,
    rule.nonResourceURLs,
  ]);
