/** The identity that authentication produces. */

/** An identity, as `UserInfo` of the API `authentication.k8s.io` has it. */
export interface UserInfo {
  readonly username: string;
  /** Empty where the module knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys in the order in which they were made; printing sorts them. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}
