/** The compiled form of the `--requestheader-*` flags. */
import type { HeaderRules } from './header-rules.ts';

export interface AuthenticatingProxyNode {
  readonly module: 'authenticating-proxy';
  /** Path of the CA bundle as given in the flag. */
  readonly caFile: string;
  /**
   * Common names that a proxy may have; if the list is empty, every certificate of the authorities
   * is accepted.
   */
  readonly allowedNames: readonly string[];
  readonly headers: HeaderRules;
}
