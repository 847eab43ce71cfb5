/** The OpenID Connect client of an issuer, with its metadata from the discovery document. */
import * as oidc from 'openid-client';
import { reveal, secret } from '../../model/secret.ts';
import { type BoundedFetch, boundedFetch } from '../../node/http-fetch.ts';
import { toLoginError } from './issuer-errors.ts';
import { LoginError, type LoginSettings, type LoginTokens } from './login-settings.ts';

export interface IssuerClient {
  readonly configuration: oidc.Configuration;
  close(): Promise<void>;
}

const requestTimeoutMs = 30_000;
const maxResponseBytes = 1024 * 1024;

/** Seconds by which the clock of this machine may differ from that of the issuer. */
export const clockSkewSeconds = 30;

/** Reads the discovery document; rejects with a `LoginError`. */
export const discoverIssuer = async (settings: LoginSettings): Promise<IssuerClient> => {
  const { issuer, clientId, certificateAuthority } = settings;
  const transport = boundedFetch({
    certificateAuthority,
    timeoutMs: requestTimeoutMs,
    maxBytes: maxResponseBytes,
  });
  try {
    const configuration = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: clockSkewSeconds },
      clientAuthentication(settings),
      { [oidc.customFetch]: fetchOver(transport), timeout: requestTimeoutMs / 1000 },
    );
    return { configuration, close: () => transport.close() };
  } catch (cause) {
    await transport.close();
    throw toLoginError(cause, `reading the discovery document of ${issuer}`);
  }
};

const fetchOver =
  ({ fetch }: BoundedFetch): oidc.CustomFetch =>
  (url, { method, headers, body, signal }) =>
    fetch(url, { method, headers, body, signal });

/**
 * Authenticates by the method that was set, or by one that the issuer supports: HTTP Basic is the
 * default of OpenID Connect Discovery.
 */
const clientAuthentication = ({ clientSecret, authMethod }: LoginSettings): oidc.ClientAuth => {
  if (clientSecret === undefined) return oidc.None();
  const value = reveal(clientSecret);
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const usesPost =
      authMethod === ''
        ? !supported.includes('client_secret_basic') && supported.includes('client_secret_post')
        : authMethod === 'client_secret_post';
    const authenticate = usesPost ? oidc.ClientSecretPost(value) : oidc.ClientSecretBasic(value);
    authenticate(server, client, body, headers);
  };
};

/** Selects the credential from a response of the token endpoint. */
export const loginTokensOf = (
  response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  { tokenType, issuer, scopes }: LoginSettings,
): LoginTokens => {
  const refreshToken =
    response.refresh_token === undefined ? undefined : secret(response.refresh_token);
  if (tokenType === 'access_token') {
    const lifetime = response.expiresIn();
    return {
      token: secret(response.access_token),
      expiresAt: lifetime === undefined ? undefined : Math.floor(Date.now() / 1000) + lifetime,
      refreshToken,
    };
  }
  const claims = response.claims();
  if (response.id_token === undefined || claims === undefined)
    throw new LoginError(`${issuer} returned no ID token`, {
      help: scopes.includes('openid')
        ? 'Use --token-type access_token if the API server accepts access tokens of this issuer.'
        : 'An ID token requires the scope openid.',
    });
  return { token: secret(response.id_token), expiresAt: claims.exp, refreshToken };
};
