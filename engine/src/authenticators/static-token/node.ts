/** The compiled form of the file of `--token-auth-file`: whom it names. The tokens are not in it. */

export interface StaticTokenNode {
  readonly module: 'static-token';
  /** As the flag names it. */
  readonly file: string;
  /** One for each token, in the order of the file. */
  readonly users: readonly StaticUser[];
}

export interface StaticUser {
  readonly username: string;
  /** Empty where the file has none. */
  readonly uid: string;
  readonly groups: readonly string[];
}
