/** The compiled form of `--client-ca-file`. */

export interface ClientCertificateNode {
  readonly module: 'client-certificate';
  /** As the flag names it. */
  readonly caFile: string;
  /** Is the UID read from the subject? */
  readonly readsUid: boolean;
  /** Extra key that holds the digest of the certificate. */
  readonly credentialIdKey: string;
}
