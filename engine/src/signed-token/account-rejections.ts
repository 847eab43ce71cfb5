/**
 * Reasons for which a service account token is rejected. The first row whose pattern matches is
 * used.
 */

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
    meaning: 'The service account token violates a rule that is stricter than in kube-apiserver.',
    fix: 'See docs/differences.md for the rule; the token was not made by an ordinary signer.',
  },
  {
    code: 'AG5031',
    name: 'account-token-signature',
    pattern: /^(?:invalid signature, no keys found|\[?go-jose\/go-jose: )/,
    meaning: 'No key in --service-account-key-file matches the service account token.',
    fix: 'Compare the kid of the token with /openid/v1/jwks; give old keys too until their tokens are gone.',
  },
  {
    code: 'AG5032',
    name: 'account-token-audience',
    pattern: /^token audiences /,
    meaning: 'The service account token is issued for a different audience.',
    fix: 'Ask for a token with an audience of --api-audiences.',
  },
  {
    code: 'AG5033',
    name: 'account-token-time',
    pattern: /^service account token (?:has expired|is not valid yet|is issued in the future)/,
    meaning: 'The service account token has expired or is not valid yet.',
    fix: 'Read the token anew from its file, or ask for a new one; compare the clocks.',
  },
  {
    code: 'AG5034',
    name: 'account-token-invalidated',
    pattern:
      /not found$|has been deleted$|has been invalidated$|does not match (?:claim|service account )|does not match server's copy$|has been marked invalid\./,
    meaning:
      'The object that the service account token is bound to was deleted, replaced or invalidated.',
    fix: 'Ask for a new token; if the account, pod, node or secret should be there, look for who deleted it.',
  },
  {
    code: 'AG5035',
    name: 'account-token-claims',
    pattern: /^/,
    meaning: 'A claim of the service account token is missing or has the wrong type.',
    fix: 'Look who signed the token: the server itself makes all of them.',
  },
];

/** Returns the code of a message. */
export const accountRejectionCode = (message: string): string =>
  accountRejectionRows.find(({ pattern }) => pattern.test(message))?.code ?? 'AG5035';
