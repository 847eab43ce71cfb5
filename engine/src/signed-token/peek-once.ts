/**
 * Several modules ask in turn whether one token is theirs. The last answer is remembered by the very
 * value that a request carries, so that a token is taken apart once a request.
 */
import { reveal, type Secret } from '../model/secret.ts';
import { type PeekedToken, peekToken } from './parse.ts';

let lastToken: Secret<string> | undefined;
let lastPeeked: PeekedToken | undefined;

/** As `peekToken`. */
export const peekOnce = (token: Secret<string>): PeekedToken | undefined => {
  if (token !== lastToken) {
    lastPeeked = peekToken(reveal(token));
    lastToken = token;
  }
  return lastPeeked;
};
