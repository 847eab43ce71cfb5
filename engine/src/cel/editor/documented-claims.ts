/** Claims that completion offers although no sample has them. */
import { type KnownClaim, knownClaims } from '../../model/known-claims.ts';
import type { EnvironmentName } from '../compile-expression.ts';
import type { DraftPlace } from './draft-place.ts';

/**
 * Returns the claims documented by specifications, for completion after `claims.` outside of
 * macros.
 */
export const documentedClaims = (
  text: string,
  { receiver, bindings }: Pick<DraftPlace, 'receiver' | 'bindings'>,
  environment: EnvironmentName,
): readonly KnownClaim[] =>
  environment === 'claims' &&
  bindings.length === 0 &&
  text.slice(receiver?.start, receiver?.end) === 'claims'
    ? knownClaims
    : [];
