/** Rejections that belong to no authenticator. */
import type { RuleDescription } from '../diagnostics/rule.ts';
import type { Rejection } from '../model/decision.ts';

/**
 * The rejection of a token that no authenticator accepts. kube-apiserver's log has the same message
 * for an unknown issuer and a malformed token; the trace distinguishes them.
 */
export const unclaimedToken = {
  code: 'AG5022',
  message: 'invalid bearer token',
} as const satisfies Rejection;

/** Descriptions of the rejections that belong to no authenticator. */
export const runtimeRejections: readonly RuleDescription[] = [
  {
    code: 'AG5000',
    name: 'internal-error',
    severity: 'error',
    source: 'server',
    summary: 'An internal error prevented a decision, and the request was rejected.',
  },
  {
    code: unclaimedToken.code,
    name: 'no-authenticator',
    severity: 'error',
    source: 'server',
    summary: 'No configured authenticator matches the issuer of the token.',
  },
  {
    code: 'AG5023',
    name: 'request-canceled',
    severity: 'error',
    source: 'server',
    summary: 'The request was canceled or timed out before the token was validated.',
  },
  {
    code: 'AG5024',
    name: 'objects-unavailable',
    severity: 'error',
    source: 'server',
    summary: 'The objects that the credential refers to cannot be looked up at the moment.',
  },
  {
    code: 'AG5026',
    name: 'too-many-checks',
    severity: 'error',
    source: 'server',
    summary:
      'The tokens that wait for an issuer or a webhook exceed their share of the memory limit.',
  },
  {
    code: 'AG5027',
    name: 'websocket-protocols',
    severity: 'error',
    source: 'server',
    summary: 'The subprotocols of a WebSocket request contain a token that cannot be read.',
  },
];
