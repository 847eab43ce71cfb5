/**
 * Words the errors of logins: what the issuer refused, or what is wrong with its response. Responses
 * contain tokens, so only error codes, descriptions and claim names become part of a message.
 */
import * as oidc from 'openid-client';
import { LoginError } from './login-settings.ts';

/** Returns the error for what failed while the program was `doing` something. */
export const toLoginError = (cause: unknown, doing: string): LoginError => {
  if (cause instanceof LoginError) return cause;
  if (cause instanceof oidc.ResponseBodyError || cause instanceof oidc.AuthorizationResponseError) {
    return refusal(doing, cause);
  }
  if (cause instanceof oidc.WWWAuthenticateChallengeError) {
    const [challenge] = cause.cause;
    // RFC 6749, section 5.2: the response to a client that cannot be authenticated has a challenge.
    return refusal(doing, { error: 'invalid_client', ...challenge?.parameters });
  }
  const causes = causesOf(cause);
  const code = causes.map(codeOf).find((candidate) => candidate !== '') ?? '';
  return new LoginError(`${doing}: ${reasonOf(causes)}`, { help: responseHelp.get(code) ?? '' });
};

/** Returns the error and its causes, the outermost first; the last one may be a response. */
const causesOf = (error: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let next = error; next !== undefined && causes.length < maxCauses; ) {
    causes.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return causes;
};

const maxCauses = 8;

const reasonOf = (causes: readonly unknown[]): string => {
  const response = causes.find((cause) => cause instanceof Response);
  if (response !== undefined && (response.status < 200 || response.status > 299))
    return `the issuer returned status ${response.status}`;
  // The message of a syntax error quotes the response, which may contain a token.
  if (causes.some((cause) => cause instanceof SyntaxError)) return 'the response is not JSON';
  return causes.findLast((cause) => cause instanceof Error)?.message ?? 'unknown error';
};

const refusal = (
  doing: string,
  {
    error,
    error_description: description = '',
  }: { readonly error: string; readonly error_description?: string | undefined },
): LoginError => {
  const code = error.slice(0, maxQuotedLength);
  const reason = description === '' ? code : `${code} (${description.slice(0, maxQuotedLength)})`;
  return new LoginError(`${doing}: the issuer returned ${reason}`, {
    code,
    help: refusalHelp.get(code) ?? '',
  });
};

/** Descriptions of issuers are sentences. */
const maxQuotedLength = 300;

/** Help for error codes of RFC 6749, RFC 8628 and OpenID Connect. */
const refusalHelp: ReadonlyMap<string, string> = new Map([
  [
    'invalid_client',
    'Check --client-id and the client secret. If both are right, set --auth-method to the method that is registered for the client.',
  ],
  ['unauthorized_client', 'Allow the grant for this client at the issuer.'],
  ['unsupported_grant_type', 'Select another --grant-type, or allow this one at the issuer.'],
  ['invalid_scope', 'Remove the scopes that the issuer does not offer to this client.'],
  ['invalid_target', 'Check the parameters resource and audience.'],
  ['access_denied', 'The login was canceled or is not permitted for this user.'],
  ['expired_token', 'The code was not entered in time: start again.'],
]);

/** Help for codes of the library. */
const responseHelp: ReadonlyMap<string, string> = new Map([
  [
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    'The issuer in the discovery document differs from --issuer-url. They must be equal, including a slash at the end.',
  ],
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'Check the clocks of this machine and of the issuer.'],
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
