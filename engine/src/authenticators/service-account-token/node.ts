/** The compiled form of the service account token authenticator. It contains no keys. */
import type { AccountTokenRules } from './token-rules.ts';

export interface ServiceAccountTokenNode {
  readonly module: 'service-account-token';
  /** Accepted issuers; the first one is the issuer of new tokens. */
  readonly issuers: readonly string[];
  /** Audiences of the API. They are used if the request has none. */
  readonly apiAudiences: readonly string[];
  /** IDs of the keys, in the order in which they are tried. */
  readonly keyIds: readonly string[];
  readonly rules: AccountTokenRules;
}
