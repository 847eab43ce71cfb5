/** The compiled form of `--enable-bootstrap-token-auth`. */

export interface BootstrapTokenNode {
  readonly module: 'bootstrap-token';
  readonly namespace: string;
  /** The values of `type` that mark a Secret as a bootstrap token. */
  readonly secretTypes: readonly string[];
}
