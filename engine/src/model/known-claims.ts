/** Claims that issuers commonly send, for completion and hover where no sample has them. */

/** A claim with a meaning that a document gives it. */
export interface KnownClaim {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'list' | 'string or list';
  readonly doc: string;
  /** Document that names it, where there is one. */
  readonly source: string;
}

const jwt = 'RFC 7519';
const openId = 'OpenID Connect Core 1.0';

/** Those that every token has first, then those of people. */
export const knownClaims: readonly KnownClaim[] = [
  { name: 'iss', type: 'string', doc: 'The issuer.', source: jwt },
  {
    name: 'sub',
    type: 'string',
    doc: 'Who the token is about; unique for its issuer.',
    source: jwt,
  },
  { name: 'aud', type: 'string or list', doc: 'For whom the token is meant.', source: jwt },
  { name: 'exp', type: 'number', doc: 'Seconds since 1970 from which it is void.', source: jwt },
  { name: 'nbf', type: 'number', doc: 'Seconds since 1970 before which it is void.', source: jwt },
  { name: 'iat', type: 'number', doc: 'Seconds since 1970 at which it was issued.', source: jwt },
  { name: 'jti', type: 'string', doc: 'An id of the token itself.', source: jwt },
  { name: 'email', type: 'string', doc: 'E-mail address; it may change hands.', source: openId },
  {
    name: 'email_verified',
    type: 'bool',
    doc: 'Whether the issuer knows that the address belongs to the person.',
    source: openId,
  },
  {
    name: 'preferred_username',
    type: 'string',
    doc: 'A name that the person chose; neither unique nor stable.',
    source: openId,
  },
  { name: 'name', type: 'string', doc: 'Full name for display.', source: openId },
  { name: 'given_name', type: 'string', doc: 'First name.', source: openId },
  { name: 'family_name', type: 'string', doc: 'Last name.', source: openId },
  { name: 'auth_time', type: 'number', doc: 'Seconds since 1970 of the log-in.', source: openId },
  { name: 'acr', type: 'string', doc: 'How strong the log-in was.', source: openId },
  { name: 'amr', type: 'list', doc: 'Ways in which the person logged in.', source: openId },
  { name: 'azp', type: 'string', doc: 'The client that asked for the token.', source: openId },
  {
    name: 'groups',
    type: 'list',
    doc: 'Groups; issuers that send them mostly call them so.',
    source: '',
  },
  {
    name: 'roles',
    type: 'list',
    doc: 'Roles; issuers that send them mostly call them so.',
    source: '',
  },
];
