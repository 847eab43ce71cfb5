/**
 * The flags of all authenticators, and the settings of those that the configuration file does not
 * cover. The values of the `--oidc-*` flags are read in `../flags/options.ts`.
 */
import {
  type AuthenticatingProxySettings,
  flags as authenticatingProxyFlags,
  readAuthenticatingProxy,
  validateAuthenticatingProxy,
} from '../../authenticators/authenticating-proxy/config.ts';
import {
  type BootstrapTokenSettings,
  flags as bootstrapTokenFlags,
  readBootstrapToken,
} from '../../authenticators/bootstrap-token/config.ts';
import {
  type ClientCertificateSettings,
  flags as clientCertificateFlags,
  readClientCertificate,
} from '../../authenticators/client-certificate/config.ts';
import { flags as oidcFlags } from '../../authenticators/jwt/config.ts';
import {
  expirationProblem,
  readServiceAccounts,
  type ServiceAccountSettings,
  flags as serviceAccountFlags,
  validateAccountGates,
  validateServiceAccounts,
} from '../../authenticators/service-account-token/config.ts';
import {
  readStaticToken,
  type StaticTokenSettings,
  flags as staticTokenFlags,
} from '../../authenticators/static-token/config.ts';
import {
  readWebhookToken,
  type WebhookTokenSettings,
  flags as webhookTokenFlags,
} from '../../authenticators/webhook-token/config.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';

export interface ModuleSettings {
  readonly authenticatingProxy: AuthenticatingProxySettings;
  readonly clientCertificate: ClientCertificateSettings;
  readonly staticToken: StaticTokenSettings;
  readonly serviceAccounts: ServiceAccountSettings;
  readonly bootstrapToken: BootstrapTokenSettings;
  readonly webhookToken: WebhookTokenSettings;
}

/** The flags in the order in which the modules are evaluated. */
export const moduleFlags: readonly FlagRow[] = [
  ...authenticatingProxyFlags,
  ...clientCertificateFlags,
  ...staticTokenFlags,
  ...serviceAccountFlags,
  ...bootstrapTokenFlags,
  ...oidcFlags,
  ...webhookTokenFlags,
];

export const readModules = (values: FlagValues): ModuleSettings => ({
  authenticatingProxy: readAuthenticatingProxy(values),
  clientCertificate: readClientCertificate(values),
  staticToken: readStaticToken(values),
  serviceAccounts: readServiceAccounts(values),
  bootstrapToken: readBootstrapToken(values),
  webhookToken: readWebhookToken(values),
});

export interface ModuleRules {
  readonly gates: FeatureGates;
  /** kube-apiserver does not start without service account settings; this server does. */
  readonly serviceAccounts: 'required' | 'optional';
}

/** Validates the settings of the modules, in kube-apiserver's order. */
export const validateModules = (
  settings: ModuleSettings,
  { gates, serviceAccounts }: ModuleRules,
): readonly FlagProblem[] => [
  ...(serviceAccounts === 'required' || wantsServiceAccounts(settings.serviceAccounts)
    ? validateServiceAccounts(settings.serviceAccounts)
    : []),
  ...validateAccountGates(gates),
  ...validateAuthenticatingProxy(settings.authenticatingProxy, gates),
];

/** Validates what kube-apiserver checks in a later step. */
export const validateCompleted = ({ serviceAccounts }: ModuleSettings): readonly FlagProblem[] => {
  const problem = expirationProblem(serviceAccounts);
  return problem === undefined ? [] : [problem];
};

const wantsServiceAccounts = (settings: ServiceAccountSettings): boolean =>
  settings.issuers.length > 0 ||
  settings.keyFiles.length > 0 ||
  settings.signingKeyFile !== '' ||
  settings.jwksUri !== '';
