/**
 * Reasons for which the JWT authenticator rejects a token: the code, the pattern of
 * kube-apiserver's log message, and an explanation.
 */

export interface RejectionRow {
  readonly code: RejectionCode;
  readonly name: string;
  /** Matches the beginning of the log message. */
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly fix: string;
}

export type RejectionCode =
  | 'AG5001'
  | 'AG5002'
  | 'AG5003'
  | 'AG5004'
  | 'AG5005'
  | 'AG5006'
  | 'AG5007'
  | 'AG5008'
  | 'AG5009'
  | 'AG5010'
  | 'AG5011'
  | 'AG5012'
  | 'AG5013'
  | 'AG5014'
  | 'AG5015'
  | 'AG5016'
  | 'AG5017'
  | 'AG5018'
  | 'AG5019'
  | 'AG5020'
  | 'AG5021'
  | 'AG5025';

/** The first row whose pattern matches is used. */
export const rejectionRows: readonly RejectionRow[] = [
  {
    code: 'AG5001',
    name: 'issuer-not-ready',
    pattern: /^oidc: authenticator not initialized/,
    meaning: "The issuer's discovery document could not be read yet.",
    fix: 'Look for the reason in the log (issuer discovery failed): the address, its certificate authority, or an issuer in the document that differs from issuer.url.',
  },
  {
    code: 'AG5002',
    name: 'token-refused-by-limit',
    pattern: /^oidc: (?:verify token: )?refused: /,
    meaning: 'The token violates a limit or a rule that is stricter than in kube-apiserver.',
    fix: 'See docs/differences.md for the rule; the issuer has to make an ordinary token.',
  },
  {
    code: 'AG5003',
    name: 'token-malformed',
    pattern: /^oidc: verify token: oidc: malformed jwt/,
    meaning: 'The header or the signature of the token cannot be read.',
    fix: 'Look whether the token was cut, wrapped or quoted on its way.',
  },
  {
    code: 'AG5004',
    name: 'algorithm-not-allowed',
    pattern: /^oidc: verify token: oidc: id token signed with unsupported algorithm/,
    meaning: 'The token is signed with an algorithm that is not allowed.',
    fix: 'Let the issuer sign with one of the listed algorithms.',
  },
  {
    code: 'AG5025',
    name: 'too-many-waiting',
    pattern:
      /^oidc: (?:verify token: failed to verify signature: fetching keys|could not expand distributed claims:) refused: more than /,
    meaning: 'Too many tokens are waiting for the keys of the issuer or for distributed claims.',
    fix: 'Check why the issuer answers slowly. Tokens that need no fetch are not affected; the same token is accepted once the issuer has answered.',
  },
  {
    code: 'AG5005',
    name: 'keys-not-available',
    pattern: /^oidc: verify token: failed to verify signature: fetching keys /,
    meaning:
      'No cached key matches the token, and the key set of the issuer could not be fetched or read.',
    fix: 'Ask for the jwks_uri yourself; one malformed key makes the whole set unusable.',
  },
  {
    code: 'AG5006',
    name: 'signature-invalid',
    pattern: /^oidc: verify token: failed to verify signature: /,
    meaning: 'No key in the key set of the issuer verifies the signature of the token.',
    fix: "Compare the token's kid with the key set: was the key rotated or does the token come from elsewhere?",
  },
  {
    code: 'AG5007',
    name: 'standard-claim-type',
    pattern: /^oidc: verify token: oidc: failed to unmarshal claims: /,
    meaning: 'A standard claim has a type that kube-apiserver does not accept.',
    fix: 'The issuer has to send iss, sub, nonce and at_hash as text, aud as text or list, times as numbers.',
  },
  {
    code: 'AG5008',
    name: 'claim-source-missing',
    pattern:
      /^oidc: verify token: oidc: (?:source does not exist|failed to obtain source from claim name)/,
    meaning: '_claim_names refers to a source that _claim_sources does not contain.',
    fix: 'The issuer has to list the source, or leave the name out.',
  },
  {
    code: 'AG5009',
    name: 'audience-mismatch',
    pattern: /^oidc: verify token: oidc: expected audience /,
    meaning: 'None of the audiences of the token is accepted.',
    fix: 'Add the audience to issuer.audiences, or ask the issuer for a token with a configured one.',
  },
  {
    code: 'AG5010',
    name: 'token-expired',
    pattern: /^oidc: verify token: oidc: token is expired /,
    meaning: 'The token has expired, or its exp claim is missing.',
    fix: 'Get a new token; if it is new, compare the clocks.',
  },
  {
    code: 'AG5011',
    name: 'token-not-yet-valid',
    pattern: /^oidc: verify token: oidc: current time /,
    meaning: 'The nbf claim is more than a minute in the future.',
    fix: 'Compare the clocks of issuer and server.',
  },
  {
    code: 'AG5012',
    name: 'distributed-claims',
    pattern: /^oidc: could not expand distributed claims: /,
    meaning: 'The groups are in a distributed claim that could not be fetched or verified.',
    fix: 'The first token of a new claim issuer always fails; after that look at the endpoint in _claim_sources.',
  },
  {
    code: 'AG5013',
    name: 'username-mapping',
    pattern:
      /^oidc: (?:parse username claims|error evaluating username claim expression|empty username|username claim )/,
    meaning: 'The username could not be mapped from the claims.',
    fix: 'Look whether the claim is there and is text; guard optional claims in an expression.',
  },
  {
    code: 'AG5014',
    name: 'email-not-verified',
    pattern: /^oidc: (?:email not verified|parse 'email_verified' claim)/,
    meaning: 'The username is the email claim, and email_verified is present but not true.',
    fix: 'The issuer has to verify the address; null and "true" as text do not count.',
  },
  {
    code: 'AG5015',
    name: 'groups-mapping',
    pattern: /^oidc: (?:parse groups claim|error evaluating group claim expression)/,
    meaning: 'The groups could not be mapped from the claims.',
    fix: 'The claim must be text or a list of texts; split() alone gives a list that is refused, add .map(r, r).',
  },
  {
    code: 'AG5016',
    name: 'uid-mapping',
    pattern: /^oidc: (?:parse uid claim|error evaluating uid claim expression)/,
    meaning: 'The UID could not be mapped from the claims.',
    fix: 'The claim must be there and be text.',
  },
  {
    code: 'AG5018',
    name: 'required-claim',
    pattern: /^oidc: (?:required claim |parse claim )/,
    meaning: 'A claim does not have the value that a claim validation rule requires.',
    fix: 'The claim must be there, be text and equal requiredValue to the letter.',
  },
  {
    code: 'AG5019',
    name: 'claim-rule',
    pattern: /^oidc: error evaluating claim validation expression: /,
    meaning: 'A claim validation rule is false or could not be evaluated.',
    fix: 'Run authgraph whoami with --explain to see the values.',
  },
  {
    code: 'AG5020',
    name: 'user-rule',
    pattern: /^oidc: error evaluating user info validation rule: /,
    meaning: 'A user validation rule is false or could not be evaluated.',
    fix: 'Run authgraph whoami with --explain to see the user that was made.',
  },
  {
    code: 'AG5017',
    name: 'extra-mapping',
    pattern:
      /^(?:oidc: error evaluating extra claim expression: |expression '.*' resulted in error: )/s,
    meaning: 'An extra value could not be mapped from the claims.',
    fix: 'Guard optional claims with has() or .? and make text or a list of texts.',
  },
  {
    code: 'AG5021',
    name: 'claims-not-readable',
    pattern: /^oidc: /,
    meaning: 'The token was rejected for another reason.',
    fix: 'Run authgraph whoami with --explain.',
  },
];

/** Returns the reason of a log message; `undefined` if the message is not of this authenticator. */
export const rejectionOf = (message: string): RejectionRow | undefined =>
  rejectionRows.find(({ pattern }) => pattern.test(message));
