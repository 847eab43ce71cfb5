/** The compiled form of the `anonymous` section or of `--anonymous-auth`. */

export interface AnonymousNode {
  readonly module: 'anonymous';
  readonly enabled: boolean;
  /**
   * Paths on which anonymous requests are allowed, decoded and compared exactly; `undefined` allows
   * every path.
   */
  readonly paths: readonly string[] | undefined;
  /** True if the configuration file has the section; the flag is then an error. */
  readonly fromFile: boolean;
}
