/**
 * The deliberate differences from kube-apiserver. `test/support/differences.ts` describes each, and
 * is the source of docs/differences.md.
 */

export type Mode = 'exact' | 'product';

export type DifferenceId =
  | 'token-spelling'
  | 'critical-header'
  | 'token-size'
  | 'token-depth'
  | 'token-encoding'
  | 'mis-cased-claim'
  | 'early-rejection'
  | 'empty-username'
  | 'group-limits'
  | 'token-cost'
  | 'encryption-key'
  | 'key-limits'
  | 'pss-salt'
  | 'bounded-bodies'
  | 'key-refetch'
  | 'https-only'
  | 'reserved-domain'
  | 'document-limits'
  | 'expression-limits'
  | 'load-panic'
  | 'request-limits'
  | 'bounded-waiting'
  | 'library-errors'
  | 'served-objects'
  | 'required-flags'
  | 'webhook-group'
  | 'accepted-spellings';

/** Returns true if the stricter rule applies. */
export const differs = (mode: Mode, _id: DifferenceId): boolean => mode === 'product';
