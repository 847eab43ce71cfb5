/** Reasons for which the webhook token authenticator rejects a token. */
import { defineRejection } from '../../model/rejection.ts';

export const webhookFailed = defineRejection({
  code: 'AG5060',
  name: 'webhook-failed',
  text: (problem: string) => problem,
  meaning: 'The webhook could not be called, or its response is not usable.',
});

export const webhookError = defineRejection({
  code: 'AG5061',
  name: 'webhook-error',
  text: (error: string) => error,
  meaning: 'The webhook rejected the token and returned an error.',
});

export const webhookUserRefused = defineRejection({
  code: 'AG5062',
  name: 'webhook-user-refused',
  text: (problem: string) => `webhook: refused: ${problem}`,
  meaning: 'The webhook accepted the token but returned an invalid user.',
});

export const webhookOverloaded = defineRejection({
  code: 'AG5063',
  name: 'webhook-overloaded',
  text: () => 'webhook: too many requests are waiting for responses',
  meaning: 'Too many tokens of this client are waiting for the webhook.',
});

export const tooManyRequests = defineRejection({
  ...webhookOverloaded,
  text: (most: number) => `webhook: more than ${most} requests are in flight`,
});
