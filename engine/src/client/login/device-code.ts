/** Logs in a user in a browser of another device, which shows a code (RFC 8628). */
import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } from 'openid-client';
import { type IssuerClient, loginTokensOf } from './issuer-client.ts';
import { toLoginError } from './issuer-errors.ts';
import {
  LoginError,
  type LoginOutput,
  type LoginSettings,
  type LoginTokens,
} from './login-settings.ts';

export const loginWithDeviceCode = async (
  { configuration }: IssuerClient,
  settings: LoginSettings,
  output: LoginOutput,
): Promise<LoginTokens> => {
  const { issuer, loginTimeoutMs } = settings;
  if (configuration.serverMetadata().device_authorization_endpoint === undefined)
    throw new LoginError(`${issuer} does not offer the device code grant`, {
      help: 'Select another --grant-type.',
    });
  const started = await initiateDeviceAuthorization(configuration, {
    ...Object.fromEntries(settings.parameters),
    scope: settings.scopes.join(' '),
  }).catch((cause: unknown) => {
    throw toLoginError(cause, `starting a login at ${issuer}`);
  });
  output.print(`Open ${started.verification_uri} and enter the code ${started.user_code}`);
  if (started.verification_uri_complete !== undefined)
    output.print(`or open ${started.verification_uri_complete}`);
  const timeout = AbortSignal.timeout(loginTimeoutMs);
  const signal = AbortSignal.any([timeout, output.signal]);
  const polling = pollDeviceAuthorizationGrant(configuration, started, undefined, { signal });
  const response = await untilAborted(polling, signal).catch((cause: unknown) => {
    if (timeout.aborted) throw loginTimeout(loginTimeoutMs);
    if (output.signal.aborted) throw new LoginError('the login was canceled');
    throw toLoginError(cause, `waiting for the login at ${issuer}`);
  });
  return loginTokensOf(response, settings);
};

/** The library notices an aborted signal only at its next request, seconds later. */
const untilAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    work.then(resolve, reject);
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Returns the error of a user who did not log in. */
export const loginTimeout = (timeoutMs: number): LoginError =>
  new LoginError(`no one logged in within ${timeoutMs / 1000} seconds`, {
    help: 'Start again, or allow more time with --timeout.',
  });
