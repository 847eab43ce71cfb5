/** The kinds that the store holds, as one table: routes, discovery, tables and views read it. */

/** Whose domain a group carries: `rbac` is `rbac.authorization.k8s.io`, empty the core group. */
export type KindGroup = '' | 'rbac';

/** A kind as routes and discovery know it. */
export interface KindRow {
  /** `serviceaccounts`: the name in paths and in the store. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly group: KindGroup;
  readonly namespaced: boolean;
}

/** All kinds, in the order of discovery. */
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

/** The row of a resource that is in the table. */
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
