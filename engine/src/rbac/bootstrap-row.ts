/** Row formats of the tables of bootstrap roles. Names use the domain of kube-apiserver. */

export interface RoleRow {
  readonly name: string;
  readonly namespace?: string;
  /**
   * `VERBS GROUPS RESOURCES [NAMES]` or `VERBS PATHS`, each a comma-separated list; `core` is the
   * empty group.
   */
  readonly rules: readonly string[];
  /** Name of the aggregated role that includes these rules. */
  readonly aggregateTo?: string;
  /** Name under which this role aggregates the rules of other roles. */
  readonly aggregateFrom?: string;
}

export interface BindingRow {
  /** Name of the binding; also that of the role, unless `role` is present. */
  readonly name: string;
  readonly namespace?: string;
  readonly role?: string;
  /** Entries `group NAME`, `user NAME` or `account NAMESPACE/NAME`. */
  readonly subjects: readonly string[];
}
