/** The flags of the authenticators that no file configures, as one table, and what they say. */
import {
  type BootstrapTokenSettings,
  flags as bootstrapTokenFlags,
  readBootstrapToken,
  validateBootstrapToken,
} from '../../authenticators/bootstrap-token/index.ts';
import {
  readStaticToken,
  type StaticTokenSettings,
  flags as staticTokenFlags,
  validateStaticToken,
} from '../../authenticators/static-token/index.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../../model/flag.ts';

export interface ModuleSettings {
  readonly staticToken: StaticTokenSettings;
  readonly bootstrapToken: BootstrapTokenSettings;
}

/** In the order in which the modules are asked. */
export const moduleFlags: readonly FlagRow[] = [...staticTokenFlags, ...bootstrapTokenFlags];

export const readModules = (values: FlagValues): ModuleSettings => ({
  staticToken: readStaticToken(values),
  bootstrapToken: readBootstrapToken(values),
});

/** What the flags of a module may not say, in the real server's order. */
export const validateModules = (settings: ModuleSettings): readonly FlagProblem[] => [
  ...validateBootstrapToken(settings.bootstrapToken),
  ...validateStaticToken(settings.staticToken),
];
