/** The compiled form of the `--requestheader-*` flags. */
import type { HeaderRules } from './header-rules.ts';

export interface AuthenticatingProxyNode {
  readonly module: 'authenticating-proxy';
  /** As the flag names it. */
  readonly caFile: string;
  /** Common names of proxies; with an empty list every certificate of the authorities is one. */
  readonly allowedNames: readonly string[];
  readonly headers: HeaderRules;
}
