/** The settings of a login with OpenID Connect. */
import type { Secret } from '../../model/secret.ts';

export type GrantType = 'authorization-code' | 'device-code' | 'client-credentials';

/** The token that becomes the credential. */
export type TokenType = 'id_token' | 'access_token';

export interface LoginSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret<string> | undefined;
  readonly authMethod: ClientAuthMethod;
  readonly grant: GrantType;
  readonly tokenType: TokenType;
  readonly scopes: readonly string[];
  /** Further parameters of requests that start a login, such as `audience`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** A loopback address; port 0 selects a free port. */
  readonly redirectUri: string;
  readonly opensBrowser: boolean;
  /** PEM; the system's authorities if absent. */
  readonly certificateAuthority: string | undefined;
  /** Time until a user has to have logged in. */
  readonly loginTimeoutMs: number;
}

/** How the client authenticates to the token endpoint. */
export type ClientAuthMethod = '' | 'client_secret_basic' | 'client_secret_post';

/** What a login prints; standard output is for the credential alone. */
export interface LoginOutput {
  /** Prints a line on standard error. */
  print(line: string): void;
  readonly variable: (name: string) => string | undefined;
  readonly signal: AbortSignal;
}

/** The result of a login. */
export interface LoginTokens {
  readonly token: Secret<string>;
  /** Seconds since 1970; `undefined` if the issuer did not say. */
  readonly expiresAt: number | undefined;
  readonly refreshToken: Secret<string> | undefined;
}

/** A login that failed, with how to fix it. Its message contains no token and no secret. */
export class LoginError extends Error {
  readonly help: string;
  /** The error code of the issuer (RFC 6749), if it refused the request. */
  readonly code: string;

  constructor(message: string, { help = '', code = '' } = {}) {
    super(message);
    this.help = help;
    this.code = code;
  }
}
