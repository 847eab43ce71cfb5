/** Kind after kind, as rules: what routes, writes, tables and schemas go by. */
import type { KindRules } from './kind-rules.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node.ts';
import { podRules } from './pod.ts';
import { clusterRoleRules, roleRules } from './role.ts';
import { clusterRoleBindingRules, roleBindingRules } from './role-binding.ts';
import { secretRules } from './secret.ts';
import { serviceAccountRules } from './service-account.ts';

/** In the order of the table of kinds. */
export const allKindRules: readonly KindRules[] = [
  namespaceRules,
  nodeRules,
  podRules,
  secretRules,
  serviceAccountRules,
  clusterRoleBindingRules,
  clusterRoleRules,
  roleBindingRules,
  roleRules,
];

/** By plural name. */
export const rulesByResource: ReadonlyMap<string, KindRules> = new Map(
  allKindRules.map((rules) => [rules.row.resource, rules]),
);
