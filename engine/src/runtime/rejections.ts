/** Rejections that belong to no authenticator. */
import type { Rejection } from '../model/decision.ts';
import { defineRejection, rejectionOf } from '../model/rejection.ts';

export const internalError = defineRejection({
  code: 'AG5000',
  name: 'internal-error',
  text: () => 'Internal error occurred: authentication failed unexpectedly',
  meaning: 'An internal error prevented a decision, and the request was rejected.',
});

/** Rejects a user of an authenticator that must not return audiences and did. */
export const unexpectedAudiences = defineRejection({
  ...internalError,
  text: (audiences: readonly string[]) =>
    `audience agnostic authenticator wrapped an authenticator that returned audiences: [${audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`,
});

export const noAuthenticator = defineRejection({
  code: 'AG5022',
  name: 'no-authenticator',
  text: () => 'invalid bearer token',
  meaning: 'No configured authenticator matches the issuer of the token.',
});

/**
 * The rejection of a token that no authenticator accepts. kube-apiserver's log has the same message
 * for an unknown issuer and a malformed token; the trace distinguishes them.
 */
export const unclaimedToken: Rejection = rejectionOf(noAuthenticator);

export const tooManyChecks = defineRejection({
  code: 'AG5026',
  name: 'too-many-checks',
  text: () => 'refused: too many tokens are waiting for issuers or webhooks',
  meaning:
    'The tokens that wait for an issuer or a webhook exceed their share of the memory limit.',
});

export const websocketProtocols = defineRejection({
  code: 'AG5027',
  name: 'websocket-protocols',
  text: (problem: string) => problem,
  meaning: 'The subprotocols of a WebSocket request contain a token that cannot be read.',
});
