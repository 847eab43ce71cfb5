/**
 * Several authenticators parse the same token in turn. The last result is cached by the object that
 * holds the token, so that it is parsed once per request.
 */
import { reveal, type Secret } from '../model/secret.ts';
import { type PeekedToken, peekToken } from './parse.ts';

let lastToken: Secret<string> | undefined;
let lastPeeked: PeekedToken | undefined;

/** Returns `peekToken` of the token, from the cache if possible. */
export const peekOnce = (token: Secret<string>): PeekedToken | undefined => {
  if (token !== lastToken) {
    lastPeeked = peekToken(reveal(token));
    lastToken = token;
  }
  return lastPeeked;
};
