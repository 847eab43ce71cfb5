/** Refusals of the stage itself, which no module spoke: their codes and what they mean. */
import type { RuleDescription } from '../diagnostics/rule.ts';
import type { Rejection } from '../model/decision.ts';

/**
 * A token that no module takes for its own. The real server says no more, so its log can't tell a
 * foreign issuer from a broken token; the trace can.
 */
export const unclaimedToken = {
  code: 'AG5022',
  message: 'invalid bearer token',
} as const satisfies Rejection;

/** Refusals of the stage itself, of no module. */
export const runtimeRejections: readonly RuleDescription[] = [
  {
    code: 'AG5000',
    name: 'internal-error',
    severity: 'error',
    source: 'server',
    summary: 'A fault of AuthGraph kept the request from being decided; it was refused.',
  },
  {
    code: unclaimedToken.code,
    name: 'no-authenticator',
    severity: 'error',
    source: 'server',
    summary: 'No authenticator takes the token for its own: its issuer is not configured.',
  },
  {
    code: 'AG5023',
    name: 'request-canceled',
    severity: 'error',
    source: 'server',
    summary: 'The token was not decided in time: the client went away, or the check took too long.',
  },
  {
    code: 'AG5024',
    name: 'objects-unavailable',
    severity: 'error',
    source: 'server',
    summary:
      'The objects that the credential is checked against cannot be looked up at the moment.',
  },
  {
    code: 'AG5026',
    name: 'too-many-checks',
    severity: 'error',
    source: 'server',
    summary: 'The tokens that wait for an issuer or a webhook use up their share of the memory.',
  },
  {
    code: 'AG5027',
    name: 'websocket-protocols',
    severity: 'error',
    source: 'server',
    summary: 'The sub-protocols of a web socket request hold a token that cannot be read.',
  },
];
