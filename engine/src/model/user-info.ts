/** The identity that authentication produces. */

export interface UserInfo {
  readonly username: string;
  /** Empty where the module knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys in the order in which they were made; printing sorts them. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}
