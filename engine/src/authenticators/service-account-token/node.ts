/** The compiled form of the module for tokens of the TokenRequest API: no key stands in it. */
import type { AccountTokenRules } from './token-rules.ts';

export interface ServiceAccountTokenNode {
  readonly module: 'service-account-token';
  /** Accepted in `iss`; the first one is put into new tokens. */
  readonly issuers: readonly string[];
  /** Stand for a request that asks for no audience. */
  readonly apiAudiences: readonly string[];
  /** Of the keys, in the order in which they are tried. */
  readonly keyIds: readonly string[];
  readonly rules: AccountTokenRules;
}
