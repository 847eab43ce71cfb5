/** The compiled form of the `anonymous` section, or of the flag. */

export interface AnonymousNode {
  readonly module: 'anonymous';
  readonly enabled: boolean;
  /** Exact decoded paths; `undefined` allows every path. */
  readonly paths: readonly string[] | undefined;
  /** True when the configuration file has the section (the flag is then forbidden). */
  readonly fromFile: boolean;
}
