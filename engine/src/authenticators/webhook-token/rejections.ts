/** Why the module refuses a token, by code. */
import type { RuleDescription } from '../../diagnostics/rule.ts';

export type RejectionCode = 'AG5060' | 'AG5061' | 'AG5062' | 'AG5063';

export const webhookRejections: readonly RuleDescription[] = [
  {
    code: 'AG5060',
    name: 'webhook-failed',
    severity: 'error',
    source: 'server',
    summary: 'The webhook could not be asked, or its answer could not be used.',
  },
  {
    code: 'AG5061',
    name: 'webhook-error',
    severity: 'error',
    source: 'server',
    summary: 'The webhook does not know the token, and said why.',
  },
  {
    code: 'AG5062',
    name: 'webhook-user-refused',
    severity: 'error',
    source: 'server',
    summary: 'The webhook accepted the token, but the user that it names is refused.',
  },
  {
    code: 'AG5063',
    name: 'webhook-overloaded',
    severity: 'error',
    source: 'server',
    summary: 'Too many tokens wait for the webhook at one time.',
  },
];
