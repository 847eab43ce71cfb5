/** How the tables of bootstrap roles are written. Names carry the real server's domain. */

export interface RoleRow {
  readonly name: string;
  readonly namespace?: string;
  /** `VERBS GROUPS RESOURCES [NAMES]` or `VERBS PATHS`, commas between; `core` is the group without name. */
  readonly rules: readonly string[];
  /** The role whose rules it adds to. */
  readonly aggregateTo?: string;
  /** Gathers the rules of the roles that add to this name. */
  readonly aggregateFrom?: string;
}

export interface BindingRow {
  /** Also the name of the role where no other is given. */
  readonly name: string;
  readonly namespace?: string;
  readonly role?: string;
  /** `group NAME`, `user NAME`, `account NAMESPACE/NAME`. */
  readonly subjects: readonly string[];
}
