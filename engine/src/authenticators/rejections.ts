/** Reasons for which several authenticators, or the server around them, reject a credential. */
import { defineRejection } from '../model/rejection.ts';

export const requestCanceled = defineRejection({
  code: 'AG5023',
  name: 'request-canceled',
  text: (problem: string) => problem,
  meaning: 'The request was canceled or timed out before the token was validated.',
});

export const objectsUnavailable = defineRejection({
  code: 'AG5024',
  name: 'objects-unavailable',
  text: (problem: string) => problem,
  meaning: 'The objects that the credential refers to cannot be looked up at the moment.',
});
