/** The union of all authenticators for requests, in kube-apiserver's order. */
import type { Authenticator } from '../authenticators/module.ts';
import { type Decision, noOpinion } from '../model/decision.ts';
import { firstHeader } from '../model/header-list.ts';
import { andThen } from '../model/maybe-promise.ts';
import { rejectionOf } from '../model/rejection.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { BearerTokenAuthenticator } from './bearer-token-authenticator.ts';
import { type AuthenticatorFunction, firstAccepted } from './combine-decisions.ts';
import { websocketProtocols } from './rejections.ts';
import { readWebsocketToken } from './websocket-token.ts';

export interface RequestUnionParts {
  /**
   * The authenticators that run before any token is read. All of them need a client certificate,
   * the authenticating proxy included.
   */
  readonly certificateModules: readonly AuthenticatorFunction[];
  readonly anonymous: Pick<Authenticator, 'authenticate'>;
  readonly apiDomain: string;
}

/** Returns a function that skips what a request does not have: most have only a bearer token. */
export const requestUnion = (
  { certificateModules, anonymous, apiDomain }: RequestUnionParts,
  bearerToken: BearerTokenAuthenticator,
): AuthenticatorFunction => {
  const { authenticate: authenticateBearerToken, lastDecision } = bearerToken;
  const authenticateWebsocketToken: AuthenticatorFunction = (request, waiter, trace) => {
    const reading = readWebsocketToken(request.headers ?? [], { apiDomain });
    if (reading.kind === 'none') return noOpinion;
    if (reading.kind === 'error') return rejectedHeader(reading.message);
    return authenticateBearerToken({ ...request, token: reading.token }, waiter, trace);
  };
  const authenticators = [
    ...certificateModules,
    authenticateBearerToken,
    authenticateWebsocketToken,
  ];
  return (request, waiter, trace) => {
    const hasCertificate = request.certificates !== undefined && certificateModules.length > 0;
    const last = hasCertificate ? undefined : lastDecision?.(request);
    if (last !== undefined) return last;
    if (hasCertificate || hasWebsocketProtocol(request)) {
      return andThen(firstAccepted(authenticators, request, waiter, trace), (decision) =>
        decision.kind === 'noOpinion' ? anonymous.authenticate(request, waiter, trace) : decision,
      );
    }
    return request.token === undefined
      ? anonymous.authenticate(request, waiter, trace)
      : authenticateBearerToken(request, waiter, trace);
  };
};

/** Checked first, because parsing the header is needed for few requests. */
const hasWebsocketProtocol = ({ headers }: AuthenticationRequest): boolean =>
  headers !== undefined && firstHeader(headers, 'sec-websocket-protocol') !== undefined;

/** Creates the rejection of an invalid WebSocket header, which belongs to no authenticator. */
const rejectedHeader = (message: string): Decision => ({
  kind: 'rejected',
  reason: rejectionOf(websocketProtocols, message),
});
