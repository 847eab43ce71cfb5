/** The `--oidc-*` flags of kube-apiserver as flags of a command, in place of a configuration file. */
import { flags } from '../authenticators/jwt/config.ts';
import type { FlagRow, FlagValues } from '../flags/flag.ts';

export const oidcFlags: readonly FlagRow[] = flags.map((row) => ({ ...row, group: 'From flags' }));

/** Returns whether the command line has such a flag. */
export const hasOidcFlags = (values: FlagValues): boolean =>
  oidcFlags.some(({ name }) => values.isSet(name));
