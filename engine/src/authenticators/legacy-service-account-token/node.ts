/** The compiled form of the module for tokens in secrets: no key stands in it. */

export interface LegacyServiceAccountTokenNode {
  readonly module: 'legacy-service-account-token';
  /** Stand for a request that asks for no audience, and for the token, which names none. */
  readonly apiAudiences: readonly string[];
  /** Of the keys, in the order in which they are tried. */
  readonly keyIds: readonly string[];
  /** Must the secret and the account be there? */
  readonly lookup: boolean;
}
