/**
 * Logs in a user in the browser of this machine: authorization code with PKCE, and a redirect to
 * loopback (RFC 8252).
 */
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { loginTimeout } from './device-code.ts';
import { type IssuerClient, loginTokensOf } from './issuer-client.ts';
import { toLoginError } from './issuer-errors.ts';
import {
  LoginError,
  type LoginOutput,
  type LoginSettings,
  type LoginTokens,
} from './login-settings.ts';
import { type LoopbackListener, listenForRedirect, type Redirect } from './loopback-listener.ts';
import { openBrowser } from './open-browser.ts';

export const loginInBrowser = async (
  client: IssuerClient,
  settings: LoginSettings,
  output: LoginOutput,
): Promise<LoginTokens> => {
  const listener = await listenForRedirect(settings.redirectUri);
  try {
    return await loginWithListener(client, settings, { listener, output });
  } finally {
    await listener.close();
  }
};

const loginWithListener = async (
  { configuration }: IssuerClient,
  settings: LoginSettings,
  { listener, output }: { readonly listener: LoopbackListener; readonly output: LoginOutput },
): Promise<LoginTokens> => {
  const verifier = randomPKCECodeVerifier();
  const [state, nonce] = [randomState(), randomNonce()];
  const usesOpenId = settings.scopes.includes('openid');
  const page = loginPage(configuration, settings, {
    redirect_uri: listener.redirectUri,
    state,
    ...(usesOpenId ? { nonce } : {}),
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const redirected = waitForRedirect(listener, { state, settings, output });
  await showPage(page, settings, output);
  const redirect = await redirected;
  sendRedirectUri(configuration, listener.redirectUri);
  try {
    const response = await authorizationCodeGrant(configuration, redirect.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(usesOpenId ? { expectedNonce: nonce, idTokenExpected: true } : {}),
    }).catch((cause: unknown) => {
      throw toLoginError(cause, `logging in at ${settings.issuer}`);
    });
    const tokens = loginTokensOf(response, settings);
    await redirect.finish('logged in');
    return tokens;
  } catch (cause) {
    await redirect.finish('failed');
    throw cause;
  }
};

/**
 * Lets the token request contain the redirect URI as the login page did, which RFC 6749 requires.
 * openid-client derives it from the address of the answer, which always has a path.
 */
const sendRedirectUri = (
  configuration: IssuerClient['configuration'],
  redirectUri: string,
): void => {
  const send = configuration[customFetch];
  if (send === undefined) throw new Error('unreachable: a client without a transport');
  configuration[customFetch] = (url, options) => {
    const { body } = options;
    if (body instanceof URLSearchParams && body.has('redirect_uri'))
      body.set('redirect_uri', redirectUri);
    return send(url, options);
  };
};

const loginPage = (
  configuration: IssuerClient['configuration'],
  { issuer, scopes, parameters }: LoginSettings,
  request: Readonly<Record<string, string>>,
): URL => {
  try {
    return buildAuthorizationUrl(configuration, {
      // OpenID Connect Core, section 11: without consent, an issuer may ignore the scope.
      ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
      ...Object.fromEntries(parameters),
      scope: scopes.join(' '),
      ...request,
    });
  } catch (cause) {
    throw toLoginError(cause, `starting a login at ${issuer}`);
  }
};

const waitForRedirect = async (
  listener: LoopbackListener,
  wanted: {
    readonly state: string;
    readonly settings: LoginSettings;
    readonly output: LoginOutput;
  },
): Promise<Redirect> => {
  const { loginTimeoutMs } = wanted.settings;
  const timeout = AbortSignal.timeout(loginTimeoutMs);
  const signal = AbortSignal.any([timeout, wanted.output.signal]);
  try {
    return await listener.redirect(wanted.state, signal);
  } catch {
    throw timeout.aborted ? loginTimeout(loginTimeoutMs) : new LoginError('the login was canceled');
  }
};

const showPage = async (
  page: URL,
  { opensBrowser }: LoginSettings,
  output: LoginOutput,
): Promise<void> => {
  const isSafe = page.protocol === 'https:';
  const opened = opensBrowser && isSafe && (await openBrowser(page, output.variable));
  output.print(
    opened ? 'Log in with the page that opens in your browser:' : 'Log in at this address:',
  );
  output.print(page.href);
};
