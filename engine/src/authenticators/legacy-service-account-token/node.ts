/** The compiled form of the legacy service account token authenticator. It contains no keys. */

export interface LegacyServiceAccountTokenNode {
  readonly module: 'legacy-service-account-token';
  /**
   * Audiences of the API. They are used if the request has none, and as the audiences of the token,
   * which has none.
   */
  readonly apiAudiences: readonly string[];
  /** IDs of the keys, in the order in which they are tried. */
  readonly keyIds: readonly string[];
  /** True if the Secret and the service account must exist. */
  readonly lookup: boolean;
}
