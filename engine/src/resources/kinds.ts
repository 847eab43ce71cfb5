/** The stored kinds as a table, which routes, discovery, tables and views use. */

/** API group of a kind: `rbac` is `rbac.authorization.k8s.io`, empty is the core group. */
export type KindGroup = '' | 'rbac';

/** A row of the table of kinds. */
export interface KindRow {
  /** Plural name in paths and in the store: `serviceaccounts`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly group: KindGroup;
  readonly namespaced: boolean;
}

/** All kinds in the order of discovery. */
export const kinds: readonly KindRow[] = [
  row('namespaces', 'namespace', 'Namespace', ['ns'], '', false),
  row('nodes', 'node', 'Node', ['no'], '', false),
  row('pods', 'pod', 'Pod', ['po'], '', true),
  row('secrets', 'secret', 'Secret', [], '', true),
  row('serviceaccounts', 'serviceaccount', 'ServiceAccount', ['sa'], '', true),
  row('clusterrolebindings', 'clusterrolebinding', 'ClusterRoleBinding', [], 'rbac', false),
  row('clusterroles', 'clusterrole', 'ClusterRole', [], 'rbac', false),
  row('rolebindings', 'rolebinding', 'RoleBinding', [], 'rbac', true),
  row('roles', 'role', 'Role', [], 'rbac', true),
];

/** Returns the row of a resource that is in the table. */
export const kindRow = (resource: string): KindRow => {
  const found = kinds.find((kind) => kind.resource === resource);
  if (found === undefined) throw new Error(`unreachable: no kind for ${resource}`);
  return found;
};

function row(
  resource: string,
  singular: string,
  kind: string,
  shortNames: readonly string[],
  group: KindGroup,
  namespaced: boolean,
): KindRow {
  return { resource, singular, kind, shortNames, group, namespaced };
}
