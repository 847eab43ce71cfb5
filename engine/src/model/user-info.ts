/** The identity that authentication produces. */

/**
 * An identity, like `UserInfo` of `authentication.k8s.io`.
 *
 * @example
 * ```ts
 * const isAdmin = ({ groups }: UserInfo) => groups.includes('system:masters');
 * ```
 */
export interface UserInfo {
  readonly username: string;
  /** Empty if the authenticator does not provide one. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys in insertion order; they are sorted when printed. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** Members of this group may do everything. */
export const privilegedGroup = 'system:masters';
