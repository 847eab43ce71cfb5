/** The compiled form of `--token-auth-file`: its users, without the tokens. */

export interface StaticTokenNode {
  readonly module: 'static-token';
  /** Path of the file as given in the flag. */
  readonly file: string;
  /** One user for each token, in the order of the file. */
  readonly users: readonly StaticUser[];
}

export interface StaticUser {
  readonly username: string;
  /** Empty if the file has none. */
  readonly uid: string;
  readonly groups: readonly string[];
}
