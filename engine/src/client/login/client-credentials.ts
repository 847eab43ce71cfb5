/** Logs in as the client itself (RFC 6749, section 4.4). */
import { clientCredentialsGrant } from 'openid-client';
import { type IssuerClient, loginTokensOf } from './issuer-client.ts';
import { toLoginError } from './issuer-errors.ts';
import type { LoginSettings, LoginTokens } from './login-settings.ts';

export const loginAsClient = async (
  { configuration }: IssuerClient,
  settings: LoginSettings,
): Promise<LoginTokens> => {
  const { scopes, parameters, issuer } = settings;
  const scope = scopes.join(' ');
  const response = await clientCredentialsGrant(configuration, {
    ...Object.fromEntries(parameters),
    ...(scope === '' ? {} : { scope }),
  }).catch((cause: unknown) => {
    throw toLoginError(cause, `requesting a token of ${issuer}`);
  });
  return loginTokensOf(response, settings);
};
