/** The compiled form of `--client-ca-file`. */

export interface ClientCertificateNode {
  readonly module: 'client-certificate';
  /** Path of the CA bundle as given in the flag. */
  readonly caFile: string;
  /** True if the UID is read from the subject. */
  readonly readsUid: boolean;
  /** The extra key for the digest of the certificate. */
  readonly credentialIdKey: string;
}
