/** Gets a token: from the cache, with a refresh token, or by a login. */
import { refreshTokenGrant } from 'openid-client';
import { reveal, type Secret } from '../../model/secret.ts';
import { loginInBrowser } from './authorization-code.ts';
import { loginAsClient } from './client-credentials.ts';
import { loginWithDeviceCode } from './device-code.ts';
import {
  clockSkewSeconds,
  discoverIssuer,
  type IssuerClient,
  loginTokensOf,
} from './issuer-client.ts';
import { toLoginError } from './issuer-errors.ts';
import {
  LoginError,
  type LoginOutput,
  type LoginSettings,
  type LoginTokens,
} from './login-settings.ts';
import { type TokenCache, tokenCache } from './token-cache.ts';

/** Returns the tokens; rejects with a `LoginError`. Writes to disk only with a directory. */
export const getToken = async (
  settings: LoginSettings,
  cacheDirectory: string,
  output: LoginOutput,
): Promise<LoginTokens> => {
  if (cacheDirectory === '') return getNewToken(settings, undefined, output);
  const cache = tokenCache(cacheDirectory, settings);
  const cached = await cache.read();
  if (cached !== undefined && isFresh(cached)) return cached;
  const options = { timeoutMs: settings.loginTimeoutMs, signal: output.signal };
  return cache.lock(options, async () => {
    // Another process may have logged in while this one waited.
    const latest = await cache.read();
    if (latest !== undefined && isFresh(latest)) return latest;
    const tokens = await getNewToken(settings, latest, output);
    await store(cache, tokens, output);
    return tokens;
  });
};

const getNewToken = async (
  settings: LoginSettings,
  cached: LoginTokens | undefined,
  output: LoginOutput,
): Promise<LoginTokens> => {
  const client = await discoverIssuer(settings);
  try {
    return (await refresh(client, settings, cached)) ?? (await logIn(client, settings, output));
  } finally {
    await client.close();
  }
};

/**
 * Returns when a client has to get a new token: before it expires, since clocks differ. In RFC 3339;
 * `undefined` if it is unknown.
 */
export const expirationTimestamp = ({ expiresAt }: LoginTokens): string | undefined =>
  expiresAt === undefined
    ? undefined
    : new Date((expiresAt - clockSkewSeconds) * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

/** A token without an expiration time is not used again, since it may have expired. */
const isFresh = ({ expiresAt }: LoginTokens): boolean =>
  expiresAt !== undefined && expiresAt - clockSkewSeconds > Date.now() / 1000;

/** Returns `undefined` if there is no refresh token, or if the issuer does not accept it any more. */
const refresh = async (
  { configuration }: IssuerClient,
  settings: LoginSettings,
  cached: LoginTokens | undefined,
): Promise<LoginTokens | undefined> => {
  const used: Secret<string> | undefined = cached?.refreshToken;
  if (used === undefined) return undefined;
  const response = await refreshTokenGrant(configuration, reveal(used)).catch((cause: unknown) => {
    const error = toLoginError(cause, `refreshing the token of ${settings.issuer}`);
    // The refresh token has expired, or has been used or revoked.
    if (error.code === 'invalid_grant') return undefined;
    throw error;
  });
  if (response === undefined || isWithoutIdToken(response, settings)) return undefined;
  const tokens = loginTokensOf(response, settings);
  // An issuer that does not rotate refresh tokens returns none.
  return { ...tokens, refreshToken: tokens.refreshToken ?? used };
};

/** OpenID Connect Core, section 12.2: the response to a refresh might not contain an ID token. */
const isWithoutIdToken = (
  { id_token: idToken }: { readonly id_token?: string },
  { tokenType }: LoginSettings,
): boolean => tokenType === 'id_token' && idToken === undefined;

const logIn = (
  client: IssuerClient,
  settings: LoginSettings,
  output: LoginOutput,
): Promise<LoginTokens> => {
  switch (settings.grant) {
    case 'client-credentials':
      return loginAsClient(client, settings);
    case 'device-code':
      return loginWithDeviceCode(client, settings, output);
    case 'authorization-code':
      return loginInBrowser(client, settings, output);
  }
};

/** A token that cannot be cached is still a valid result. */
const store = async (
  cache: TokenCache,
  tokens: LoginTokens,
  output: LoginOutput,
): Promise<void> => {
  try {
    if (await cache.write(tokens))
      output.print(`Warning: tokens are stored without encryption in ${cache.path} (mode 0600)`);
  } catch (cause) {
    if (!(cause instanceof LoginError)) throw cause;
    output.print(`Warning: the token is not cached: ${cause.message}`);
  }
};
