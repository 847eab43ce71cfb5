/** The compiled form of `--enable-bootstrap-token-auth`: where the secrets are. */

export interface BootstrapTokenNode {
  readonly module: 'bootstrap-token';
  readonly namespace: string;
  /** Types of secrets that are bootstrap tokens. */
  readonly secretTypes: readonly string[];
}
