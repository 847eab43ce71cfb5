/** Parses the token of a request once, although several authenticators read it in turn. */
import type { AuthenticationRequest } from '../model/request.ts';
import { reveal } from '../model/secret.ts';
import { type PeekedToken, peekToken } from '../signed-token/parse.ts';

/** A request that may carry the claims of its token, parsed by the first authenticator. */
export interface PeekableRequest extends AuthenticationRequest {
  readonly peek?: () => PeekedToken | undefined;
}

/** Returns the request for several authenticators: the first one that calls `peek` parses. */
export const withSharedPeek = (request: AuthenticationRequest): PeekableRequest => {
  let peeked: { readonly token: PeekedToken | undefined } | undefined;
  return {
    ...request,
    peek: () => {
      peeked ??= { token: peekRequest(request) };
      return peeked.token;
    },
  };
};

/** Returns the claims of the token; `undefined` if it is not a JWT with readable claims. */
export const peekRequest = ({ token, peek }: PeekableRequest): PeekedToken | undefined => {
  if (peek !== undefined) return peek();
  return token === undefined ? undefined : peekToken(reveal(token));
};
