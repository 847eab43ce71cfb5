/** Reasons for which the webhook token authenticator rejects a token. */

export interface WebhookRejection {
  readonly code: RejectionCode;
  readonly name: string;
  readonly meaning: string;
  readonly fix: string;
}

export type RejectionCode = 'AG5060' | 'AG5061' | 'AG5062' | 'AG5063';

export const webhookRejections: readonly WebhookRejection[] = [
  {
    code: 'AG5060',
    name: 'webhook-failed',
    meaning: 'The webhook could not be called, or its response is not usable.',
    fix: 'The message says which: the connection, the code of the answer, or what is wrong with the review.',
  },
  {
    code: 'AG5061',
    name: 'webhook-error',
    meaning: 'The webhook rejected the token and returned an error.',
    fix: 'Ask those who run the webhook; the text is theirs.',
  },
  {
    code: 'AG5062',
    name: 'webhook-user-refused',
    meaning: 'The webhook accepted the token but returned an invalid user.',
    fix: 'The webhook has to name the user, and fewer or shorter groups.',
  },
  {
    code: 'AG5063',
    name: 'webhook-overloaded',
    meaning: 'Too many tokens of this client are waiting for the webhook.',
    fix: 'Find out why the webhook is slow, or which client sends many different tokens. Cached tokens are not affected.',
  },
];
