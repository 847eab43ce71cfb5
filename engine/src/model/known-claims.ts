/** Claims that issuers commonly use. Completion and hover show them if no sample has them. */

/** A claim whose meaning is specified. */
export interface KnownClaim {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'list' | 'string or list';
  readonly doc: string;
  /** The specification, if there is one. */
  readonly source: string;
}

const jwt = 'RFC 7519';
const openId = 'OpenID Connect Core 1.0';

/** Claims of all tokens first, then those of users. */
export const knownClaims: readonly KnownClaim[] = [
  { name: 'iss', type: 'string', doc: 'The issuer.', source: jwt },
  {
    name: 'sub',
    type: 'string',
    doc: 'The subject of the token; unique for its issuer.',
    source: jwt,
  },
  {
    name: 'aud',
    type: 'string or list',
    doc: 'The intended recipients of the token.',
    source: jwt,
  },
  { name: 'exp', type: 'number', doc: 'Expiry in seconds since 1970.', source: jwt },
  { name: 'nbf', type: 'number', doc: 'Start of validity in seconds since 1970.', source: jwt },
  { name: 'iat', type: 'number', doc: 'Time of issue in seconds since 1970.', source: jwt },
  { name: 'jti', type: 'string', doc: 'The ID of the token.', source: jwt },
  { name: 'email', type: 'string', doc: 'Email address; it may be reassigned.', source: openId },
  {
    name: 'email_verified',
    type: 'bool',
    doc: 'Whether the issuer has verified the email address.',
    source: openId,
  },
  {
    name: 'preferred_username',
    type: 'string',
    doc: 'A name chosen by the user; neither unique nor stable.',
    source: openId,
  },
  { name: 'name', type: 'string', doc: 'Full name for display.', source: openId },
  { name: 'given_name', type: 'string', doc: 'First name.', source: openId },
  { name: 'family_name', type: 'string', doc: 'Last name.', source: openId },
  {
    name: 'auth_time',
    type: 'number',
    doc: 'Time of authentication in seconds since 1970.',
    source: openId,
  },
  { name: 'acr', type: 'string', doc: 'The authentication context class.', source: openId },
  { name: 'amr', type: 'list', doc: 'The authentication methods.', source: openId },
  { name: 'azp', type: 'string', doc: 'The client that requested the token.', source: openId },
  {
    name: 'groups',
    type: 'list',
    doc: 'Groups; a common name that no specification defines.',
    source: '',
  },
  {
    name: 'roles',
    type: 'list',
    doc: 'Roles; a common name that no specification defines.',
    source: '',
  },
];
