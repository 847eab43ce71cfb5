/** Checks that the flags configure an authenticator. */
import type { FlagProblem } from '../../flags/flag.ts';
import type { ServeOptions } from './serve-options.ts';

/**
 * Returns a problem if neither the flags nor a configuration file name an authenticator: such a
 * server would reject every credential. kube-apiserver always has one, that of service accounts.
 */
export const authenticatorProblems = (options: ServeOptions): readonly FlagProblem[] => {
  const { authenticationConfig, oidc, anonymousAuth, modules } = options;
  const { authenticatingProxy, clientCertificate, staticToken } = modules;
  const { serviceAccounts, bootstrapToken, webhookToken } = modules;
  const isConfigured =
    authenticationConfig !== undefined ||
    oidc !== undefined ||
    authenticatingProxy.caFile !== undefined ||
    clientCertificate.caFile !== undefined ||
    staticToken.file !== undefined ||
    serviceAccounts.keyFiles.length > 0 ||
    bootstrapToken.enabled ||
    webhookToken.file !== undefined ||
    // A server for anonymous requests only is possible, but has to be requested.
    anonymousAuth === true;
  if (isConfigured) return [];
  return [
    {
      message: 'no authenticator is configured: every credential would be rejected',
      help: 'Set --authentication-config=FILE, or the flags of another authenticator: --oidc-issuer-url, --client-ca-file, --requestheader-client-ca-file, --token-auth-file, --service-account-key-file, --enable-bootstrap-token-auth or --authentication-token-webhook-config-file. For a server that answers anonymous requests only, set --anonymous-auth=true.',
    },
  ];
};
