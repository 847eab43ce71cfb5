/** The rules of all kinds, for routes, writes, tables and schemas. */
import type { KindRules } from './kind-rules.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node.ts';
import { podRules } from './pod.ts';
import { clusterRoleRules, roleRules } from './role.ts';
import { clusterRoleBindingRules, roleBindingRules } from './role-binding.ts';
import { secretRules } from './secret.ts';
import { serviceAccountRules } from './service-account.ts';

/** Rules in the order of the table of kinds. */
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

/** Rules by plural name of the resource. */
export const rulesByResource: ReadonlyMap<string, KindRules> = new Map(
  allKindRules.map((rules) => [rules.row.resource, rules]),
);
