/** Why a token of a service account is refused: one row a reason. The first pattern that fits counts. */

export interface AccountRejectionRow {
  readonly code: string;
  readonly name: string;
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly fix: string;
}

export const accountRejectionRows: readonly AccountRejectionRow[] = [
  {
    code: 'AG5030',
    name: 'account-token-form',
    pattern: /^refused: /,
    meaning:
      'The service account token breaks a rule of form that is stricter than the real server.',
    fix: 'See docs/differences.md for the rule; the token was not made by an ordinary signer.',
  },
  {
    code: 'AG5031',
    name: 'account-token-signature',
    pattern: /^(?:invalid signature, no keys found|\[?go-jose\/go-jose: )/,
    meaning: 'No key of --service-account-key-file fits the token.',
    fix: 'Compare the kid of the token with /openid/v1/jwks; give old keys too until their tokens are gone.',
  },
  {
    code: 'AG5032',
    name: 'account-token-audience',
    pattern: /^token audiences /,
    meaning: 'The service account token is meant for somebody else.',
    fix: 'Ask for a token with an audience of --api-audiences.',
  },
  {
    code: 'AG5033',
    name: 'account-token-time',
    pattern: /^service account token (?:has expired|is not valid yet|is issued in the future)/,
    meaning: 'The service account token is expired or not valid yet, by more than a minute.',
    fix: 'Read the token anew from its file, or ask for a new one; compare the clocks.',
  },
  {
    code: 'AG5034',
    name: 'account-token-invalidated',
    pattern:
      /not found$|has been deleted$|has been invalidated$|does not match (?:claim|service account )|does not match server's copy$|has been marked invalid\./,
    meaning: 'What the token is bound to is gone, or is another one of the same name.',
    fix: 'Ask for a new token; if the account, pod, node or secret should be there, look for who deleted it.',
  },
  {
    code: 'AG5035',
    name: 'account-token-claims',
    pattern: /^/,
    meaning:
      'A claim of the service account token is missing or has another type than it must have.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
];

/** The code of a refusal by its words. */
export const accountRejectionCode = (message: string): string =>
  accountRejectionRows.find(({ pattern }) => pattern.test(message))?.code ?? 'AG5035';
