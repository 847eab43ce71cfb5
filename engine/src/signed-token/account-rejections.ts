/**
 * Reasons for which a service account token is rejected. Kinds with the same code follow their
 * description.
 */
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { accountTokenGates } from '../model/feature-gates.ts';
import { defineRejection } from '../model/rejection.ts';

export const accountTokenRefused = defineRejection({
  code: 'AG5030',
  name: 'account-token-form',
  text: (problem: string) => `refused: ${problem}`,
  meaning: 'The service account token violates a rule that is stricter than in kube-apiserver.',
});

export const accountKeyMissing = defineRejection({
  code: 'AG5031',
  name: 'account-token-signature',
  text: () => 'invalid signature, no keys found',
  meaning: 'No key in --service-account-key-file matches the service account token.',
});

/** Rejects a token that the first key does not verify, with the errors of all keys. */
export const accountSignatureInvalid = defineRejection({
  ...accountKeyMissing,
  text: (errors: readonly string[]) => aggregateErrors(errors),
});

export const accountAudienceMismatch = defineRejection({
  code: 'AG5032',
  name: 'account-token-audience',
  text: (audience: readonly string[], requested: readonly string[]) =>
    `token audiences ${goQuoteList(audience)} is invalid for the target audiences ${goQuoteList(requested)}`,
  meaning: 'The service account token is issued for a different audience.',
});

export const accountTokenTimes = defineRejection({
  code: 'AG5033',
  name: 'account-token-time',
  text: (problem: 'has expired' | 'is not valid yet' | 'is issued in the future') =>
    `service account token ${problem}`,
  meaning: 'The service account token has expired or is not valid yet.',
});

export const accountNotFound = defineRejection({
  code: 'AG5034',
  name: 'account-token-invalidated',
  text: (account: string) => `serviceaccounts ${goQuote(account)} not found`,
  meaning:
    'The object that the service account token is bound to was deleted, replaced or invalidated.',
});

export const accountDeleted = defineRejection({
  ...accountNotFound,
  text: (account: string) => `service account ${account} has been deleted`,
});

export const accountReplaced = defineRejection({
  ...accountNotFound,
  text: (uid: string, claim: string) =>
    `service account UID (${uid}) does not match claim (${claim})`,
});

export const boundObjectReplaced = defineRejection({
  ...accountNotFound,
  text: (kind: string, uid: string, claim: string) =>
    `${kind} UID (${uid}) does not match service account ${kind} ref claim (${claim})`,
});

export const accountTokenInvalidated = defineRejection({
  ...accountNotFound,
  text: () => 'service account token has been invalidated',
});

export const legacyAccountDeleted = defineRejection({
  ...accountNotFound,
  text: (account: string) => `ServiceAccount ${account} has been deleted`,
});

export const legacyAccountReplaced = defineRejection({
  ...accountNotFound,
  text: (uid: string, claim: string) =>
    `ServiceAccount UID (${uid}) does not match claim (${claim})`,
});

export const legacyTokenInvalidated = defineRejection({
  ...accountNotFound,
  text: () => 'Token has been invalidated',
});

export const legacyTokenReplaced = defineRejection({
  ...accountNotFound,
  text: () => "Token does not match server's copy",
});

export const legacyTokenMarkedInvalid = defineRejection({
  ...accountNotFound,
  text: (secret: string, account: string, label: string) =>
    `the token in secret ${secret} for service account ${account} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${label}' label from the secret to temporarily allow use of this token`,
});

/** Rejects a token that the first key verifies, with the errors of all keys. */
export const accountClaimsUnreadable = defineRejection({
  code: 'AG5035',
  name: 'account-token-claims',
  text: (errors: readonly string[]) => aggregateErrors(errors),
  meaning: 'A claim of the service account token is missing or has the wrong type.',
});

export const accountIssuerInvalid = defineRejection({
  ...accountClaimsUnreadable,
  text: (issuer: string) => `token issuer ${goQuote(issuer)} is invalid`,
});

export const nodeBindingDisabled = defineRejection({
  ...accountClaimsUnreadable,
  text: () =>
    `token is bound to a Node object but the ${accountTokenGates.nodeValidation} feature gate is disabled`,
});

export const legacyClaimMissing = defineRejection({
  ...accountClaimsUnreadable,
  text: (claim: string) => `${claim} claim is missing`,
});

export const legacySubjectInvalid = defineRejection({
  ...accountClaimsUnreadable,
  text: () => 'sub claim is invalid',
});

/** Formats several errors as kube-apiserver does, without duplicates. */
const aggregateErrors = (errors: readonly string[]): string => {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
};
